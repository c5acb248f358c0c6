/* SPDX-License-Identifier: MIT
 * UTF-8: which bytes are text.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes, 1 to 4, of the character that begins at text, which has count bytes (at least 1); 0: none does.
 * What Unicode (chapter 3, table 3-7) does not allow is none: overlong forms, surrogates, beyond U+10FFFF. */
size_t utf8_character_size(const char *text, size_t count);

bool utf8_is_valid(const char *text, size_t count);

/* A number that is a character: not a surrogate, and not beyond U+10FFFF. */
bool utf8_is_character(uint32_t character);

/* Writes a character; returns its bytes, at most UTF8_MAX_BYTES. */
#define UTF8_MAX_BYTES 4
size_t utf8_encode(char *out, uint32_t character);

/* The character of size bytes at text, which utf8_character_size() returned. */
uint32_t utf8_decode(const char *text, size_t size);

#endif
