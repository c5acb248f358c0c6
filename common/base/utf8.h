/* SPDX-License-Identifier: MIT
 * UTF-8: checks, reads and writes characters.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the size, 1 to 4 bytes, of the character at the start of text; 0 if there is no valid one. text has
 * count bytes, at least 1. Overlong forms, surrogates and numbers beyond U+10FFFF are not valid (Unicode,
 * chapter 3, table 3-7). */
size_t utf8_character_size(const char *text, size_t count);

bool utf8_is_valid(const char *text, size_t count);

/* Returns true if the number is a character: not a surrogate, and not beyond U+10FFFF. */
bool utf8_is_character(uint32_t character);

/* Writes a character. Returns its size, at most UTF8_MAX_BYTES. */
#define UTF8_MAX_BYTES 4
size_t utf8_encode(char *out, uint32_t character);

/* Appends text with U+FFFD in place of each byte that is not part of a valid character. Returns 0 or
 * TRACE_ERR_MEMORY. */
int utf8_append_repaired(struct buf *out, const char *text, size_t count);

/* Returns the character at text. size is what utf8_character_size() returned for it. */
uint32_t utf8_decode(const char *text, size_t size);

#endif
