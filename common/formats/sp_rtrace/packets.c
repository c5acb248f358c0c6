/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/packets.h"

#define HEAP_WORDS 10 /* 32-bit values of HINF after the bounds of the heap */

/* --- handshake ------------------------------------------------------------------------------------- */

/* Returns the offset of the first packet. The size should include the padding that follows it, but the
 * document says otherwise. So it is only used if it is possible. */
static size_t handshake_end(const uint8_t *bytes, size_t fields)
{
    size_t claimed = (size_t)bytes[1] + 2;
    return claimed >= fields && claimed % 4 == 0 ? claimed : (fields + 3) & ~(size_t)3;
}

bool handshake_parse(struct handshake *out, const uint8_t *bytes, size_t count)
{
    if (count < HANDSHAKE_MINIMUM || bytes[0] != HANDSHAKE_MARK)
        return false;
    size_t arch = bytes[4], fields = 5 + arch + 2;
    if (count < fields)
        return false;
    uint8_t order = bytes[5 + arch], pointer = bytes[6 + arch];
    if (order > 1 || (pointer != 4 && pointer != 8) || bytes[2] < 1 || memchr(bytes + 5, '\0', arch) != NULL)
        return false;
    memset(out, 0, sizeof *out);
    out->style = (struct packet_style){
        .major = bytes[2], .minor = bytes[3], .big_endian = order == 1, .pointer_size = pointer};
    memcpy(out->arch, bytes + 5, arch);
    out->size = handshake_end(bytes, fields);
    return count >= out->size;
}

void packet_style_see_first(struct packet_style *style, const uint8_t *head, size_t count)
{
    bool first = count >= 4 && packet_type_is_known(packet_u32(style, head));
    bool second = count >= 8 && packet_type_is_known(packet_u32(style, head + 4));
    style->type_first = first != second ? first : style->major >= 2;
    style->document_order = style->type_first && style->major < 2;
}

/* --- heads ----------------------------------------------------------------------------------------- */

bool packet_type_is_known(uint32_t type)
{
    switch (type) {
    case PACKET_PINF:
    case PACKET_MINF:
    case PACKET_RESR:
    case PACKET_MMAP:
    case PACKET_CTXR:
    case PACKET_CALL:
    case PACKET_ARGS:
    case PACKET_BTRC:
    case PACKET_NLIB:
    case PACKET_HINF:
    case PACKET_OCFG:
    case PACKET_FILE:
        return true;
    default:
        return false;
    }
}

bool packet_type_is_likely(uint32_t type)
{
    for (unsigned i = 0; i < 4; ++i, type >>= 8)
        if ((type & 0xff) <= ' ' || (type & 0xff) > '~')
            return false;
    return true;
}

/* --- fields ---------------------------------------------------------------------------------------- */

struct packet_string packet_read_string(const struct packet_style *style, const uint8_t **p)
{
    uint16_t length = packet_u16(style, *p);
    const char *text = (const char *)*p + 2;
    *p += packet_string_size(length);
    if (length == 0)
        return (struct packet_string){NULL, 0};
    return (struct packet_string){text, strnlen(text, length)};
}

/* Returns where count strings that start at `at` end, or SIZE_MAX if that is beyond the data. */
static size_t strings_end(const struct packet_style *style, const uint8_t *data, size_t size, size_t at,
                          uint64_t count)
{
    for (; count > 0; --count) {
        if (at > size || size - at < 4)
            return SIZE_MAX;
        at += packet_string_size(packet_u16(style, data + at));
    }
    return at <= size ? at : SIZE_MAX;
}

static size_t args_end(const struct packet_style *style, const uint8_t *data, size_t count)
{
    return count < 4 ? SIZE_MAX : strings_end(style, data, count, 4, (uint64_t)packet_u32(style, data) * 2);
}

static size_t backtrace_end(const struct packet_style *style, const uint8_t *data, size_t count)
{
    if (count < 4)
        return SIZE_MAX;
    uint64_t size = 4 + (uint64_t)packet_u32(style, data) * style->pointer_size;
    return size <= count ? (size_t)size : SIZE_MAX;
}

static size_t call_end(const struct packet_style *style, const uint8_t *data, size_t count)
{
    if (count < 20)
        return SIZE_MAX;
    size_t size = 16 + packet_string_size(packet_u16(style, data + 16)) + 4 + style->pointer_size;
    return size <= count ? size : SIZE_MAX;
}

/* The programs write twelve 32-bit values, but read what the document says: two pointers and ten 32-bit
 * values. */
static size_t heap_end(const struct packet_style *style, uint32_t size, size_t count)
{
    size_t documented = 2 * (size_t)style->pointer_size + 4 * HEAP_WORDS;
    size_t fields = size >= documented ? documented : 4 * (2 + HEAP_WORDS);
    return fields <= count ? fields : SIZE_MAX;
}

size_t packet_fields_size(const struct packet_style *style, uint32_t type, uint32_t size, const uint8_t *data,
                          size_t count)
{
    switch (type) {
    case PACKET_CALL:
        return call_end(style, data, count);
    case PACKET_BTRC:
        return backtrace_end(style, data, count);
    case PACKET_ARGS:
        return args_end(style, data, count);
    case PACKET_PINF:
        return strings_end(style, data, count, packet_style_has_depth(style) ? 16 : 12, 1);
    case PACKET_MINF:
        return strings_end(style, data, count, 8, 1);
    case PACKET_RESR:
        return strings_end(style, data, count, packet_style_has_flags(style) ? 8 : 4, 2);
    case PACKET_MMAP:
        return strings_end(style, data, count, 2 * (size_t)style->pointer_size, 1);
    case PACKET_CTXR:
        return strings_end(style, data, count, 4, 1);
    case PACKET_NLIB:
        return strings_end(style, data, count, 0, 1);
    case PACKET_HINF:
        return heap_end(style, size, count);
    default: /* OCFG, FILE */
        return strings_end(style, data, count, 0, 2);
    }
}
