/* SPDX-License-Identifier: MIT
 * JSON on the standard output.
 */
#ifndef CLI_JSON_PRINT_H
#define CLI_JSON_PRINT_H

#include <stddef.h>

/* A string in quotes: of text up to its NUL, or of count bytes. U+FFFD takes the place of what is not UTF-8.
 */
void json_print_string(const char *text);
void json_print_bytes(const char *text, size_t count);

#endif
