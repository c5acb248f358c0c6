/* SPDX-License-Identifier: MIT
 * The script for zsh, around its function _arguments.
 */
#include "generate/completion.h"

#include "commands.h"
#include "generate/value_words.h"

#include <ctype.h>
#include <getopt.h>
#include <string.h>

static void put_escaped(FILE *out, const char *text)
{
    completion_put_quoted(out, text, "'\\''", "\\[]:");
}

/* ":what:action", preceded by another colon if the value is optional. */
static void put_value(FILE *out, const char *name, const struct value_words *v)
{
    fputc(':', out);
    if (v->kind == VALUE_WORDS || v->kind == VALUE_LIST)
        fputs("value", out);
    else
        for (const char *c = name; isupper((unsigned char)*c); ++c)
            fputc(tolower((unsigned char)*c), out);
    fputc(':', out);
    switch (v->kind) {
    case VALUE_WORDS:
        fprintf(out, "(%s)", v->words);
        break;
    case VALUE_LIST:
        fprintf(out, "_sequence compadd - %s", v->words);
        break;
    case VALUE_FILE:
        fputs("_files", out);
        break;
    case VALUE_TRACE:
        fputs("_files -g \"*.trace\"", out);
        break;
    case VALUE_COMMAND:
        fputs("_trace-cli_commands", out);
        break;
    case VALUE_PROGRAM:
    case VALUE_OTHER:
        break;
    }
}

/* One spelling: '(-c --calls)--calls=[help]:set:…'. */
static void put_spelling(FILE *out, const struct cli_option *o, const char *spelling)
{
    bool is_long = spelling[1] == '-';
    int mode = cli_option_value_mode(o);
    struct value_words value = value_words_of_option(o);
    fputs("            '", out);
    if (o->kind == CLI_OPTION_CALLBACK)
        fputc('*', out); /* many options may be repeated */
    else if (o->letter != 0 && o->name != NULL)
        fprintf(out, "(-%c --%s)", o->letter, o->name);
    fputs(spelling, out);
    if (mode == required_argument)
        fputs(is_long ? "=" : "+", out);
    else if (mode == optional_argument)
        fputs(is_long ? "=-" : "-", out);
    fputc('[', out);
    put_escaped(out, o->help);
    fputc(']', out);
    if (mode == optional_argument)
        fputc(':', out);
    if (mode != no_argument)
        put_value(out, cli_option_value_name(o), &value);
    fputs("' \\\n", out);
}

static void put_option(void *context, const struct cli_option *o)
{
    char spelling[128];
    if (o->letter != 0) {
        snprintf(spelling, sizeof spelling, "-%c", o->letter);
        put_spelling(context, o, spelling);
    }
    if (o->name != NULL) {
        snprintf(spelling, sizeof spelling, "--%s", o->name);
        put_spelling(context, o, spelling);
    }
}

static void put_operands(FILE *out, const struct cli_command *c)
{
    struct value_words operands = value_words_of_operands(c);
    if (operands.kind == VALUE_PROGRAM) {
        fputs("            '(-)1:program:_command_names -e' \\\n"
              "            '*::arguments:_normal' && ret=0 ;;\n",
              out);
        return;
    }
    if (operands.kind != VALUE_OTHER) {
        fputs("            '*", out);
        put_value(out, "OPERAND", &operands);
        fputs("' \\\n", out);
    }
    fputs("            && ret=0 ;;\n", out);
}

static void put_command(FILE *out, const struct cli_command *c)
{
    fprintf(out, "        %s%s%s)\n            _arguments -s -S \\\n", c->name, c->alias != NULL ? " | " : "",
            c->alias != NULL ? c->alias : "");
    each_option(c, put_option, out);
    put_operands(out, c);
}

static void put_command_list(FILE *out)
{
    fputs("_trace-cli_commands()\n{\n    local -a commands=(\n", out);
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c) {
        const char *const names[] = {(*c)->name, (*c)->alias};
        for (int i = 0; i < 2 && names[i] != NULL; ++i) {
            fprintf(out, "        '%s:", names[i]);
            put_escaped(out, (*c)->summary);
            fputs("'\n", out);
        }
    }
    fputs("    )\n    _describe -t commands command commands\n}\n\n", out);
}

void completion_zsh(FILE *out)
{
    fputs("#compdef trace-cli\n"
          "# Completion of trace-cli for zsh, made from the program's tables of options.\n\n",
          out);
    put_command_list(out);
    fputs("_trace-cli()\n{\n"
          "    local context state state_descr line ret=1\n"
          "    typeset -A opt_args\n"
          "    _arguments -C \\\n"
          "        '(- : *)'{-h,--help}'[show the commands]' \\\n"
          "        '(- : *)--version[show the version]' \\\n"
          "        '1:command:_trace-cli_commands' \\\n"
          "        '*::argument:->argument' && ret=0\n"
          "    if [[ $state == argument ]]; then\n"
          "        case $words[1] in\n",
          out);
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c)
        put_command(out, *c);
    fputs("        esac\n    fi\n    return ret\n}\n\n_trace-cli \"$@\"\n", out);
}
