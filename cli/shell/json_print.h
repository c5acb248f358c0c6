/* SPDX-License-Identifier: MIT
 * Prints JSON on the standard output.
 */
#ifndef CLI_JSON_PRINT_H
#define CLI_JSON_PRINT_H

#include <stddef.h>

/* Print a string in quotes: text up to its NUL, or count bytes. Invalid UTF-8 is replaced by U+FFFD. */
void json_print_string(const char *text);
void json_print_bytes(const char *text, size_t count);

#endif
