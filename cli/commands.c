/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include <string.h>

const struct cli_command *const cli_commands[] = {
    /* clang-format off */
    &cli_cmd_trace,
    &cli_cmd_dump,
    &cli_cmd_info,
    &cli_cmd_diff,
    &cli_cmd_pickle,
    &cli_cmd_trim,
    &cli_cmd_sed,
    &cli_cmd_repack,
    &cli_cmd_retrace,
    &cli_cmd_help,
    &cli_cmd_version,
    NULL,
    /* clang-format on */
};

const struct cli_command *cli_find_command(const char *name)
{
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c)
        if (strcmp((*c)->name, name) == 0 || ((*c)->alias != NULL && strcmp((*c)->alias, name) == 0))
            return *c;
    return NULL;
}
