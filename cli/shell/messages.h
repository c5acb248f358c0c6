/* SPDX-License-Identifier: MIT
 * Errors and warnings of commands on the standard error.
 */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

/* Prints "error: " and the current error message on stderr, after what stdout has so far; returns 1. */
int cli_print_error(void);

/* The same with "warning: ". */
int cli_print_warning(void);

#endif
