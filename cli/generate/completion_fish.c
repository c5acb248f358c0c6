/* SPDX-License-Identifier: MIT
 * The tables at the end of completion.fish: one `complete` for each command and option.
 */
#include "generate/completion.h"

#include "commands.h"
#include "generate/value_words.h"

#include <getopt.h>
#include <string.h>

static void put_description(FILE *out, const char *text)
{
    fputs(" -d '", out);
    completion_put_quoted(out, text, "\\'", "\\");
    fputs("'\n", out);
}

static void put_command(FILE *out, const char *name, const char *summary)
{
    fprintf(out, "complete -c trace-cli -n __trace_cli_no_command -a %s", name);
    put_description(out, summary);
}

/* Writes the beginning of a `complete` for words after this command. Its condition is a function of
 * completion.fish. */
static void put_condition(FILE *out, const char *condition, const struct cli_command *c)
{
    fprintf(out, "complete -c trace-cli -n '%s %s%s%s'", condition, c->name, c->alias != NULL ? " " : "",
            c->alias != NULL ? c->alias : "");
}

static void put_all_commands_of_table(FILE *out)
{
    fputs(" -a '", out);
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c)
        fprintf(out, "%s%s", c == cli_commands ? "" : " ", (*c)->name);
    fputc('\'', out);
}

/* Writes an option's value, or an operand. required: the option cannot be used without it. */
static void put_value(FILE *out, const struct value_words *v, bool required)
{
    const char *exclusive = required ? " -x" : " -f";
    switch (v->kind) {
    case VALUE_WORDS:
        fprintf(out, "%s -a '%s'", exclusive, v->words);
        break;
    case VALUE_LIST:
        fprintf(out, "%s -a '(__fish_append , %s)'", exclusive, v->words);
        break;
    case VALUE_FILE:
        fputs(required ? " -r -F" : " -F", out);
        break;
    case VALUE_TRACE:
        fprintf(out, "%s -k -a '(__fish_complete_suffix .trace)'", exclusive);
        break;
    case VALUE_COMMAND:
        fputs(exclusive, out);
        put_all_commands_of_table(out);
        break;
    case VALUE_PROGRAM: /* done by put_program() */
    case VALUE_OTHER:
        fputs(exclusive, out);
        break;
    }
}

struct place {
    FILE *out;
    const struct cli_command *command;
};

static void put_option(void *context, const struct cli_option *o)
{
    const struct place *at = context;
    int mode = cli_option_value_mode(o);
    put_condition(at->out, "__trace_cli_command", at->command);
    if (o->letter != 0)
        fprintf(at->out, " -s %c", o->letter);
    if (o->name != NULL)
        fprintf(at->out, " -l %s", o->name);
    if (o->alias != NULL)
        fprintf(at->out, " -l %s", o->alias);
    if (mode != no_argument) {
        struct value_words value = value_words_of_option(o);
        put_value(at->out, &value, mode == required_argument);
    }
    put_description(at->out, o->help);
}

static void put_separate(void *context, const struct cli_option *o)
{
    FILE *out = context;
    if (cli_option_value_mode(o) != required_argument)
        return;
    if (o->letter != 0)
        fprintf(out, " -%c", o->letter);
    if (o->name != NULL)
        fprintf(out, " --%s", o->name);
}

/* The first operand begins another command line. */
static void put_program(FILE *out, const struct cli_command *c)
{
    put_condition(out, "__trace_cli_command", c);
    fputs(" -x -a '(__fish_complete_subcommand --fcs-skip=2", out);
    each_option(c, put_separate, out);
    fputs(")'\n", out);
}

static void put_operands(FILE *out, const struct cli_command *c)
{
    struct value_words operands = value_words_of_operands(c);
    if (operands.kind == VALUE_OTHER)
        return;
    if (operands.kind == VALUE_PROGRAM) {
        put_program(out, c);
        return;
    }
    put_condition(out, "__trace_cli_operand", c);
    put_value(out, &operands, false);
    fputc('\n', out);
}

void completion_fish(FILE *out)
{
    fputs("complete -c trace-cli -n __trace_cli_no_command -s h -l help -d 'show the commands'\n"
          "complete -c trace-cli -n __trace_cli_no_command -l version -d 'show the version'\n",
          out);
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c) {
        struct place at = {out, *c};
        put_command(out, (*c)->name, (*c)->summary);
        if ((*c)->alias != NULL)
            put_command(out, (*c)->alias, (*c)->summary);
        each_option(*c, put_option, &at);
        put_operands(out, *c);
    }
}
