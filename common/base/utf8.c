/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include "base/error.h"

#include <string.h>

size_t utf8_character_size(const char *text, size_t count)
{
    const uint8_t *p = (const uint8_t *)text;
    if (p[0] < 0x80)
        return 1;
    size_t size = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || count < size)
        return 0;
    for (size_t i = 1; i < size; ++i)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] >= 0xa0;
    bool too_large = p[0] == 0xf4 && p[1] >= 0x90;
    return overlong || surrogate || too_large ? 0 : size;
}

bool utf8_is_valid(const char *text, size_t count)
{
    for (size_t i = 0; i < count;) {
        uint64_t eight;
        if (count - i >= sizeof eight) {
            memcpy(&eight, text + i, sizeof eight);
            if ((eight & UINT64_C(0x8080808080808080)) == 0) {
                i += sizeof eight;
                continue;
            }
        }
        size_t size = utf8_character_size(text + i, count - i);
        if (size == 0)
            return false;
        i += size;
    }
    return true;
}

bool utf8_is_character(uint32_t character)
{
    return character <= 0x10ffff && (character < 0xd800 || character > 0xdfff);
}

size_t utf8_encode(char *out, uint32_t character)
{
    if (character < 0x80) {
        out[0] = (char)character;
        return 1;
    }
    size_t size = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; character >>= 6)
        out[i] = (char)(0x80 | (character & 0x3f));
    out[0] = (char)((uint8_t)(0xf00 >> size) | character);
    return size;
}

uint32_t utf8_decode(const char *text, size_t size)
{
    const uint8_t *p = (const uint8_t *)text;
    if (size == 1)
        return p[0];
    uint32_t character = p[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; ++i)
        character = character << 6 | (p[i] & 0x3f);
    return character;
}

int utf8_append_repaired(struct buf *out, const char *text, size_t count)
{
    size_t from = 0, i = 0;
    while (i < count) {
        size_t size = utf8_character_size(text + i, count - i);
        i += size;
        if (size != 0)
            continue;
        if (buf_append(out, text + from, i - from) != 0 || buf_append_string(out, "\xef\xbf\xbd") != 0)
            return TRACE_ERR_MEMORY;
        from = ++i;
    }
    return buf_append(out, text + from, count - from) == 0 ? 0 : TRACE_ERR_MEMORY;
}
