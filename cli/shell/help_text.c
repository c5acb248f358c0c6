/* SPDX-License-Identifier: MIT
 * Prints the text of `trace-cli help COMMAND`, from the command's table.
 */
#include "shell/command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define HELP_COLUMN 28

/* "-b, --brotli[=0-11]" */
static void spell_option(const struct cli_option *o, char *out, size_t size)
{
    char value[64] = "";
    int mode = cli_option_value_mode(o);
    const char *name = cli_option_value_name(o);
    if (mode != no_argument)
        snprintf(value, sizeof value, mode == required_argument ? "=%s" : "[=%s]", name);
    if (o->letter != 0 && o->name != NULL)
        snprintf(out, size, "-%c, --%s%s", o->letter, o->name, value);
    else if (o->name != NULL)
        snprintf(out, size, "    --%s%s", o->name, value);
    else if (mode == required_argument)
        snprintf(out, size, "-%c %s", o->letter, name);
    else
        snprintf(out, size, "-%c%s", o->letter, value);
}

static void print_option(const struct cli_option *o)
{
    char spelling[128];
    spell_option(o, spelling, sizeof spelling);
    printf("  %-*s", HELP_COLUMN - 2, spelling);
    if (strlen(spelling) > HELP_COLUMN - 4)
        printf("\n%*s", HELP_COLUMN, "");
    for (const char *line = o->help; line != NULL;) {
        const char *end = strchr(line, '\n');
        printf("%.*s\n", end != NULL ? (int)(end - line) : (int)strlen(line), line);
        line = end != NULL ? end + 1 : NULL;
        if (line != NULL)
            printf("%*s", HELP_COLUMN, "");
    }
}

void cli_print_examples(const char *examples)
{
    puts("\nExamples:");
    for (const char *line = examples; *line != '\0';) {
        int length = (int)strcspn(line, "\n");
        printf("  %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

void cli_print_help(const struct cli_command *c)
{
    printf("usage: trace-cli %s %s\n%s\n", c->name, c->operands, c->summary);
    if (c->alias != NULL)
        printf("Also called %s.\n", c->alias);
    puts("\nOptions:");
    print_option(&cli_help_option);
    for (const struct cli_option *o = c->options; o != NULL && o->kind != CLI_OPTION_END; ++o)
        print_option(o);
    if (c->details != NULL)
        printf("\n%s\n", c->details);
    if (c->examples != NULL)
        cli_print_examples(c->examples);
}
