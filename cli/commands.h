/* SPDX-License-Identifier: MIT
 * The table of all subcommands (commands.c).
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

/* One per file cmd_NAME.c. */
extern const struct cli_command cli_cmd_diff;
extern const struct cli_command cli_cmd_dump;
extern const struct cli_command cli_cmd_help;
extern const struct cli_command cli_cmd_index;
extern const struct cli_command cli_cmd_info;
extern const struct cli_command cli_cmd_leaks;
extern const struct cli_command cli_cmd_pickle;
extern const struct cli_command cli_cmd_repack;
extern const struct cli_command cli_cmd_sed;
extern const struct cli_command cli_cmd_trim;
extern const struct cli_command cli_cmd_retrace;
extern const struct cli_command cli_cmd_trace;
extern const struct cli_command cli_cmd_version;

#endif
