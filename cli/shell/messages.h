/* SPDX-License-Identifier: MIT
 * Prints errors and warnings of commands on the standard error.
 */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

/* Flushes stdout, then prints "error: " and the current error message on stderr. Returns 1. */
int cli_print_error(void);

/* Does the same with "warning: ". */
int cli_print_warning(void);

#endif
