/* SPDX-License-Identifier: MIT */
#include "generate/command_check.h"

#include "base/error.h"

#include <string.h>

static bool is_same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Returns a name that a and b share, or NULL. */
static const char *shared_name(const char *a, const char *a_alias, const char *b, const char *b_alias)
{
    if (is_same(a, b) || is_same(a, b_alias))
        return a;
    return is_same(a_alias, b) || is_same(a_alias, b_alias) ? a_alias : NULL;
}

/* Checks two options of a command, in either order. */
static int check_pair(const struct cli_command *c, const struct cli_option *a, const struct cli_option *b)
{
    const char *name = shared_name(a->name, a->alias, b->name, b->alias);
    if (name != NULL)
        return trace_error_set(TRACE_ERR_USAGE, "command %s has two options --%s", c->name, name);
    if (a->letter != 0 && a->letter == b->letter)
        return trace_error_set(TRACE_ERR_USAGE, "command %s has two options -%c", c->name, a->letter);
    return 0;
}

static int check_options(const struct cli_command *c)
{
    for (const struct cli_option *o = c->options; o != NULL && o->kind != CLI_OPTION_END; ++o) {
        if (o->name == NULL && o->letter == 0)
            return trace_error_set(TRACE_ERR_USAGE, "command %s has an option without a name", c->name);
        int rc = check_pair(c, o, &cli_help_option);
        for (const struct cli_option *before = c->options; rc == 0 && before < o; ++before)
            rc = check_pair(c, before, o);
        if (rc != 0)
            return rc;
    }
    return 0;
}

/* "count-threads" is CLI_COMMAND(count_threads, …). */
static bool is_listed_as(const char *name, const char *listed)
{
    for (; *name != '\0' && (*name == '-' ? '_' : *name) == *listed; ++name)
        ++listed;
    return *name == *listed;
}

static int check_command(const struct cli_command *c, const char *listed)
{
    if (c->name == NULL || !is_listed_as(c->name, listed))
        return trace_error_set(TRACE_ERR_USAGE, "command %s is listed as %s",
                               c->name != NULL ? c->name : "without a name", listed);
    if (c->group < CLI_GROUP_RECORD || c->group >= CLI_GROUP_END)
        return trace_error_set(TRACE_ERR_USAGE, "command %s has no group", c->name);
    if (c->summary == NULL || c->operands == NULL || c->run == NULL)
        return trace_error_set(TRACE_ERR_USAGE, "command %s lacks its summary, operands or function to run",
                               c->name);
    return check_options(c);
}

int command_check_tables(const struct cli_command *const *commands, const char *const *names)
{
    for (size_t i = 0; commands[i] != NULL; ++i) {
        int rc = check_command(commands[i], names[i]);
        if (rc != 0)
            return rc;
        for (size_t k = 0; k < i; ++k) {
            const char *name =
                shared_name(commands[k]->name, commands[k]->alias, commands[i]->name, commands[i]->alias);
            if (name != NULL)
                return trace_error_set(TRACE_ERR_USAGE, "two commands are called %s", name);
        }
    }
    return 0;
}
