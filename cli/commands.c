/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include <string.h>

const struct cli_command *const cli_commands[] = {
    &cli_cmd_repack,
    &cli_cmd_trace,
    &cli_cmd_help,
    &cli_cmd_version,
    NULL,
};

const struct cli_command *cli_find_command(const char *name)
{
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c)
        if (strcmp((*c)->name, name) == 0 || ((*c)->alias != NULL && strcmp((*c)->alias, name) == 0))
            return *c;
    return NULL;
}
