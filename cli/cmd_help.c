/* SPDX-License-Identifier: MIT
 * trace-cli help: lists the commands, or shows the options of the named ones.
 */
#include "commands.h"

#include <stdio.h>
#include <string.h>

/* Returns the length of the longest name, so that the summaries are aligned. */
static int name_width(void)
{
    size_t width = 9;
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c)
        if (strlen((*c)->name) > width)
            width = strlen((*c)->name);
    return (int)width;
}

static void print_group(enum cli_group group, int width)
{
    printf("\n%s:\n", cli_group_title(group));
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c)
        if ((*c)->group == group)
            printf("  %-*s %s%s%s%s\n", width, (*c)->name, (*c)->summary,
                   (*c)->alias != NULL ? " (also: " : "", (*c)->alias != NULL ? (*c)->alias : "",
                   (*c)->alias != NULL ? ")" : "");
}

static void print_command_list(void)
{
    int width = name_width();
    puts("usage: trace-cli COMMAND [ARGUMENT...]\n"
         "Captures, inspects and replays OpenGL traces in apitrace's format.");
    for (enum cli_group group = CLI_GROUP_RECORD; group < CLI_GROUP_END; ++group)
        print_group(group, width);
    puts("\nSee \"trace-cli help COMMAND\" for a command's options, \"man trace-cli-COMMAND\" for more.");
    cli_print_examples(cli_first_steps);
}

static int run_help(const struct cli_command *self, int argc, char **argv)
{
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, NULL, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count == 0) {
        print_command_list();
        return 0;
    }
    for (int i = 0; i < operands.count; ++i) {
        const struct cli_command *c = cli_find_command(operands.values[i]);
        if (c == NULL)
            return cli_unknown_command(operands.values[i]);
        cli_print_help(c);
    }
    return 0;
}

static const struct cli_option no_options[] = {{.kind = CLI_OPTION_END}};

const struct cli_command cli_cmd_help = {
    .name = "help",
    .group = CLI_GROUP_OTHER,
    .summary = "Show the commands, or one command's options",
    .operands = "[COMMAND...]",
    .options = no_options,
    .run = run_help,
};
