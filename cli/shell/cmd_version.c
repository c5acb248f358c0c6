/* SPDX-License-Identifier: MIT
 * trace-cli version.
 */
#include "shell/command.h"

#include <stdio.h>

/* Made by cli/CMakeLists.txt from LICENSE and thirdparty/NOTICES. */
extern const char cli_license_text[];
extern const char cli_notices_text[];

struct version_options {
    bool licenses;
};

static int run_version(const struct cli_command *self, int argc, char **argv)
{
    struct cli_operands operands;
    struct version_options options = {false};
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    puts("trace-cli " TRACE_CLI_VERSION);
    if (options.licenses)
        printf("\n%s\n%s", cli_license_text, cli_notices_text);
    return 0;
}

static const struct cli_option version_options[] = {
    {CLI_OPTION_FLAG, 0, "licenses", "licences", NULL, offsetof(struct version_options, licenses),
     "also the licence, and those of the libraries that are contained", NULL},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_version = {
    .name = "version",
    .group = CLI_GROUP_OTHER,
    .summary = "Show the version of trace-cli",
    .operands = "[OPTION]",
    .options = version_options,
    .run = run_version,
};
