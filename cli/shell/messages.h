/* SPDX-License-Identifier: MIT
 * Errors and warnings of commands on the standard error.
 */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

/* Prints "error: " and the present error message on stderr; returns 1. */
int cli_print_error(void);

/* Likewise after "warning: ", behind what the standard output has so far. */
int cli_print_warning(void);

#endif
