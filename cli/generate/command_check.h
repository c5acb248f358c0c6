/* SPDX-License-Identifier: MIT
 * Checks the tables of commands for mistakes that the compiler cannot find. The check runs when the
 * documentation is generated, which is part of every build.
 */
#ifndef GENERATE_COMMAND_CHECK_H
#define GENERATE_COMMAND_CHECK_H

#include "shell/command.h"

/* Checks that each command has a group, a summary and a function to run, and that no name, alias or option is
 * used twice. Also checks that each command is named as in the list, where a dash is written as an
 * underscore: names contains the list's names, in the order of commands. Both end with NULL. Errors:
 * TRACE_ERR_USAGE, with a message that names the command. */
int command_check_tables(const struct cli_command *const *commands, const char *const *names);

#endif
