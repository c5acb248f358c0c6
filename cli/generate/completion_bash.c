/* SPDX-License-Identifier: MIT
 * The tables at the end of completion.bash: bash functions that set variables.
 */
#include "generate/completion.h"

#include "commands.h"
#include "generate/value_words.h"

#include <getopt.h>

static void put_commands(FILE *out)
{
    fputs("_trace_cli_commands='", out);
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c) {
        fprintf(out, "%s%s", c == cli_commands ? "" : " ", (*c)->name);
        if ((*c)->alias != NULL)
            fprintf(out, " %s", (*c)->alias);
    }
    fputs("'\n", out);
}

/* A pattern that matches the command. */
static void put_command_names(FILE *out, const struct cli_command *c)
{
    fputs(c->name, out);
    if (c->alias != NULL)
        fprintf(out, " | %s", c->alias);
}

static void put_value(FILE *out, const struct value_words *v)
{
    static const char *const kinds[] = {
        [VALUE_OTHER] = "",          [VALUE_WORDS] = "words ", [VALUE_LIST] = "list ",
        [VALUE_FILE] = "file",       [VALUE_TRACE] = "trace",  [VALUE_COMMAND] = "command",
        [VALUE_PROGRAM] = "program",
    };
    fprintf(out, "%s%s", kinds[v->kind], v->words);
}

/* The words that are offered where an option may be: --name= if a value is required. */
static void put_option_words(void *context, const struct cli_option *o)
{
    FILE *out = context;
    bool required = cli_option_value_mode(o) == required_argument;
    if (o->letter != 0)
        fprintf(out, " -%c", o->letter);
    if (o->name != NULL)
        fprintf(out, " --%s%s", o->name, required ? "=" : "");
}

/* Options whose value may be the next word. */
static void put_separate(void *context, const struct cli_option *o)
{
    FILE *out = context;
    if (cli_option_value_mode(o) != required_argument)
        return;
    if (o->letter != 0)
        fprintf(out, "-%c ", o->letter);
    if (o->name != NULL)
        fprintf(out, "--%s ", o->name);
    if (o->alias != NULL)
        fprintf(out, "--%s ", o->alias);
}

static void put_table(FILE *out)
{
    fputs("\n# Sets options, separate (those whose value may be the next word) and kind (of operands).\n"
          "_trace_cli_table()\n{\n    case $1 in\n",
          out);
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c) {
        struct value_words operands = value_words_of_operands(*c);
        fputs("    ", out);
        put_command_names(out, *c);
        fputs(")\n        options='", out);
        each_option(*c, put_option_words, out);
        fputs("'\n        separate=' ", out);
        each_option(*c, put_separate, out);
        fputs("'\n        kind='", out);
        put_value(out, &operands);
        fputs("' ;;\n", out);
    }
    fputs("    *) return 1 ;;\n    esac\n}\n", out);
}

static void put_option_pattern(FILE *out, const struct cli_command *c, const char *dashes, const char *name,
                               const char **separator)
{
    const char *const names[] = {c->name, c->alias};
    for (int i = 0; i < 2; ++i)
        if (names[i] != NULL && name != NULL && *name != '\0') {
            fprintf(out, "%s'%s %s%s'", *separator, names[i], dashes, name);
            *separator = " | ";
        }
}

static void put_option_value(FILE *out, const struct cli_command *c, const struct cli_option *o)
{
    const char letter[2] = {o->letter, '\0'};
    const char *separator = "    ";
    struct value_words value = value_words_of_option(o);
    if (cli_option_value_mode(o) == no_argument || value.kind == VALUE_OTHER)
        return;
    put_option_pattern(out, c, "-", letter, &separator);
    put_option_pattern(out, c, "--", o->name, &separator);
    put_option_pattern(out, c, "--", o->alias, &separator);
    fputs(") value='", out);
    put_value(out, &value);
    fputs("' ;;\n", out);
}

static void put_values(FILE *out)
{
    fputs("\n# Sets value to the kind of an option's value.\n"
          "_trace_cli_value()\n{\n    value=\n    case $1 in\n",
          out);
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c)
        for (const struct cli_option *o = (*c)->options; o->kind != CLI_OPTION_END; ++o)
            put_option_value(out, *c, o);
    fputs("    esac\n}\n", out);
}

void completion_bash(FILE *out)
{
    put_commands(out);
    put_table(out);
    put_values(out);
}
