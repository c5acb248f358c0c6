/* SPDX-License-Identifier: MIT
 * The table of all subcommands; command_list.inc lists them.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "shell/command.h"

/* In the order of `trace-cli help`, below the headings of their groups; ends with NULL. */
extern const struct cli_command *const cli_commands[];

/* Examples to begin with. */
extern const char cli_first_steps[];

/* The heading of a group. */
const char *cli_group_title(enum cli_group group);

/* By name or alias; NULL if there is none. */
const struct cli_command *cli_find_command(const char *name);

/* Says that there is no such command, and which may be meant; returns 1. */
int cli_unknown_command(const char *name);

/* cli_cmd_trace and all others. */
#define CLI_COMMAND(name, directory) extern const struct cli_command cli_cmd_##name;
#include "command_list.inc"
#undef CLI_COMMAND

#endif
