/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_texts.h"

#include "base/error.h"
#include "base/utf8.h"

#define REPLACEMENT UINT32_C(0xfffd)

size_t ctf_text_unit(enum ctf_encoding encoding)
{
    return encoding == CTF_UTF8 ? 1 : encoding == CTF_UTF16LE || encoding == CTF_UTF16BE ? 2 : 4;
}

size_t ctf_text_length(const uint8_t *bytes, size_t count, enum ctf_encoding encoding)
{
    static const uint8_t zeros[4] = {0};
    size_t unit = ctf_text_unit(encoding);
    if (unit == 1) {
        const uint8_t *nul = count > 0 ? memchr(bytes, '\0', count) : NULL;
        return nul != NULL ? (size_t)(nul - bytes) : count;
    }
    for (size_t at = 0; at + unit <= count; at += unit)
        if (memcmp(bytes + at, zeros, unit) == 0)
            return at;
    return count;
}

static uint32_t load_unit(const uint8_t *bytes, enum ctf_encoding encoding)
{
    switch (encoding) {
    case CTF_UTF16LE:
        return bytes[0] | (uint32_t)bytes[1] << 8;
    case CTF_UTF16BE:
        return bytes[1] | (uint32_t)bytes[0] << 8;
    case CTF_UTF32LE:
        return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    default:
        return bytes[3] | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[0] << 24;
    }
}

/* Reads the character at `*at`, of one or two units. */
static uint32_t take_character(const uint8_t *bytes, size_t length, enum ctf_encoding encoding, size_t *at)
{
    size_t unit = ctf_text_unit(encoding);
    uint32_t first = load_unit(bytes + *at, encoding), second;
    *at += unit;
    if (unit == 2 && first >= 0xd800 && first < 0xdc00 && *at + unit <= length) {
        second = load_unit(bytes + *at, encoding);
        if (second >= 0xdc00 && second < 0xe000) {
            *at += unit;
            return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        }
    }
    return utf8_is_character(first) ? first : REPLACEMENT;
}

/* A unit of two bytes becomes at most three, and one of four at most four. */
static size_t convert(const uint8_t *bytes, size_t length, enum ctf_encoding encoding, char *out)
{
    size_t unit = ctf_text_unit(encoding), written = 0;
    for (size_t at = 0; at + unit <= length;)
        written += utf8_encode(out + written, take_character(bytes, length, encoding, &at));
    return written;
}

int ctf_text_copy(struct arena *arena, const uint8_t *bytes, size_t length, enum ctf_encoding encoding,
                  struct trace_value *out)
{
    char *copy = arena_alloc(arena, (encoding == CTF_UTF8 ? length : length / 2 * 3) + UTF8_MAX_BYTES);
    if (copy == NULL)
        return TRACE_ERR_MEMORY;
    if (encoding == CTF_UTF8)
        memcpy(copy, bytes, length);
    else
        length = convert(bytes, length, encoding, copy);
    copy[length] = '\0';
    out->type = TRACE_STRING;
    out->count = length;
    out->u.string = copy;
    return 0;
}
