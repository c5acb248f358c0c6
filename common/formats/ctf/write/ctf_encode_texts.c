/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_encode_texts.h"

#include "base/error.h"
#include "base/utf8.h"

/* Appends a unit of so many bytes. */
static int append(struct buf *out, uint32_t unit, int bytes, bool is_big)
{
    int rc = 0;
    for (int i = 0; rc == 0 && i < bytes; ++i)
        rc = buf_append_byte(out, (uint8_t)(unit >> 8 * (is_big ? bytes - 1 - i : i)));
    return rc == 0 ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

static int append_utf16(struct buf *out, uint32_t character, bool is_big)
{
    if (character < 0x10000)
        return append(out, character, 2, is_big);
    int rc = append(out, 0xd800 + ((character - 0x10000) >> 10), 2, is_big);
    return rc == 0 ? append(out, 0xdc00 + ((character - 0x10000) & 0x3ff), 2, is_big) : rc;
}

int ctf_text_encode(struct buf *out, const char *text, size_t count, enum ctf_encoding encoding)
{
    bool is_big = encoding == CTF_UTF16BE || encoding == CTF_UTF32BE;
    bool is_16 = encoding == CTF_UTF16BE || encoding == CTF_UTF16LE;
    int rc = 0;
    for (size_t at = 0; rc == 0 && at < count;) {
        size_t size = utf8_character_size(text + at, count - at);
        uint32_t character = size > 0 ? utf8_decode(text + at, size) : UINT32_C(0xfffd);
        rc = is_16 ? append_utf16(out, character, is_big) : append(out, character, 4, is_big);
        at += size > 0 ? size : 1;
    }
    return rc;
}
