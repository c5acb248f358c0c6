/* SPDX-License-Identifier: MIT
 * trace-cli formats: which trace formats can be read and written.
 */
#include "shell/command.h"

#include "formats/format_registry.h"

#include <stdio.h>

static int run_formats(const struct cli_command *self, int argc, char **argv)
{
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, NULL, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count != 0)
        return cli_usage_error(self, "formats takes no file");
    const struct trace_format *format;
    for (size_t i = 0; (format = trace_format_at(i)) != NULL; ++i)
        printf("%-16s %-12s %s\n", format->name,
               format->open == NULL     ? "write"
               : format->create == NULL ? "read"
                                        : "read, write",
               format->summary);
    return 0;
}

static const struct cli_option formats_options[] = {
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_formats = {
    .name = "formats",
    .group = CLI_GROUP_CHANGE,
    .summary = "List the trace formats that can be read and written",
    .operands = "",
    .details =
        "Prints a line for each format: its name, for convert --to; whether it can be read, written or\n"
        "both; and what it is. The format of a file is detected from its contents.",
    .examples = "trace-cli formats\n",
    .options = formats_options,
    .run = run_formats,
};
