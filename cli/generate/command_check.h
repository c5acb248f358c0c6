/* SPDX-License-Identifier: MIT
 * What may be wrong with the tables of commands, and the compiler does not see: found when the documents are
 * made, which is part of every build.
 */
#ifndef GENERATE_COMMAND_CHECK_H
#define GENERATE_COMMAND_CHECK_H

#include "shell/command.h"

/* Each command has a group, a summary and a function to run; no name, alias or option stands twice. The
 * command is called as the list calls it (a dash is an underscore there): names has those, in the order of
 * commands, which ends with NULL. TRACE_ERR_USAGE, with a message that says which command. */
int command_check_tables(const struct cli_command *const *commands, const char *const *names);

#endif
