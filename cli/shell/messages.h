/* SPDX-License-Identifier: MIT
 * Errors and warnings of commands on the standard error.
 */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

struct cli_command;

/* Prints `error: …` and a hint at the command's help on stderr; returns 1. */
int cli_usage_error(const struct cli_command *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints "error: " and the present error message on stderr; returns 1. */
int cli_print_error(void);

/* Likewise after "warning: ", behind what the standard output has so far. */
int cli_print_warning(void);

#endif
