/* SPDX-License-Identifier: MIT
 * The table of all subcommands, generated from command_list.inc.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "shell/command.h"

/* In the order of `trace-cli help`, under the headings of their groups. Ends with NULL. */
extern const struct cli_command *const cli_commands[];

/* Examples for new users. */
extern const char cli_first_steps[];

/* Returns the heading of a group. */
const char *cli_group_title(enum cli_group group);

/* Finds a command by its name or alias. Returns NULL if there is none. */
const struct cli_command *cli_find_command(const char *name);

/* Prints that there is no such command, and the most similar name. Returns 1. */
int cli_unknown_command(const char *name);

/* Declares cli_cmd_trace and all others. */
#define CLI_COMMAND(name, directory) extern const struct cli_command cli_cmd_##name;
#include "command_list.inc"
#undef CLI_COMMAND

#endif
