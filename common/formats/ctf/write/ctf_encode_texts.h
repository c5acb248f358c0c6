/* SPDX-License-Identifier: MIT
 * Texts of the encodings that CTF 2 has: the reverse of decode/ctf_texts.h.
 */
#ifndef CTF_ENCODE_TEXTS_H
#define CTF_ENCODE_TEXTS_H

#include "base/buf.h"
#include "formats/ctf/ctf_types.h"

/* Appends a text of UTF-8 in another encoding; U+FFFD stands for each byte that is not valid. Errors:
 * TRACE_ERR_MEMORY. */
int ctf_text_encode(struct buf *out, const char *text, size_t count, enum ctf_encoding encoding);

#endif
