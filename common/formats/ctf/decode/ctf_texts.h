/* SPDX-License-Identifier: MIT
 * Texts of the encodings that CTF 2 has.
 */
#ifndef CTF_TEXTS_H
#define CTF_TEXTS_H

#include "formats/ctf/ctf_types.h"
#include "trace/model.h"

/* Returns where the first NUL of a text is, or count. Units of UTF-16 and UTF-32 count from the first byte.
 */
size_t ctf_text_length(const uint8_t *bytes, size_t count, enum ctf_encoding encoding);

/* Returns the size of a unit, and of a NUL, in bytes. */
size_t ctf_text_unit(enum ctf_encoding encoding);

/* Makes a string, in UTF-8 if the text has another Unicode encoding; U+FFFD stands for what is not valid
 * there. Errors: TRACE_ERR_MEMORY. */
int ctf_text_copy(struct arena *arena, const uint8_t *bytes, size_t length, enum ctf_encoding encoding,
                  struct trace_value *out);

#endif
