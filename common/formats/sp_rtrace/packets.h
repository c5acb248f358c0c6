/* SPDX-License-Identifier: MIT
 * The packets of a binary log: their types, their fields, and how versions and machines encode numbers.
 */
#ifndef SP_RTRACE_PACKETS_H
#define SP_RTRACE_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PACKET_HEAD    8 /* bytes before a packet's data */
#define HANDSHAKE_MARK 0xf0
/* The highest size in bytes: size field 255, the two bytes before it, and padding. */
#define HANDSHAKE_MAX     264
#define HANDSHAKE_MINIMUM 8

#define PACKET_NAME(a, b, c, d)                                                                              \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum packet_type {
    PACKET_NONE = 0,
    PACKET_PINF = PACKET_NAME('P', 'I', 'N', 'F'),
    PACKET_MINF = PACKET_NAME('M', 'I', 'N', 'F'),
    PACKET_RESR = PACKET_NAME('R', 'E', 'S', 'R'),
    PACKET_MMAP = PACKET_NAME('M', 'M', 'A', 'P'),
    PACKET_CTXR = PACKET_NAME('C', 'T', 'X', 'R'),
    PACKET_CALL = PACKET_NAME('C', 'A', 'L', 'L'),
    PACKET_ARGS = PACKET_NAME('A', 'R', 'G', 'S'),
    PACKET_BTRC = PACKET_NAME('B', 'T', 'R', 'C'),
    PACKET_NLIB = PACKET_NAME('N', 'L', 'I', 'B'),
    PACKET_HINF = PACKET_NAME('H', 'I', 'N', 'F'),
    PACKET_OCFG = PACKET_NAME('O', 'C', 'F', 'G'),
    PACKET_FILE = PACKET_NAME('F', 'I', 'L', 'E'),
};

enum {
    CALL_RELEASES = 1,  /* the type field of CALL; the document does not give the numbers */
    CALL_ALLOCATES = 2, /* all other values are taken as a release, as sp-rtrace does */
    RESOURCE_REFCOUNTED = 1,
    NO_DEPTH = UINT32_MAX, /* PINF's depth if it is unknown */
};

/* How a log is encoded. Version, byte order and pointer size are in its handshake. */
struct packet_style {
    uint8_t major;
    uint8_t minor;
    uint8_t pointer_size; /* 4 or 8 */
    bool big_endian;
    bool type_first; /* type before size in a packet's head; see packet_style_see_first() */

    /* The fields of CALL are in the order of the document. No known program writes this order, but a program
     * that follows the document does. The document also has packets of version 1.x with the type first; no
     * known program writes those either. */
    bool document_order;
};

struct handshake {
    struct packet_style style;
    char arch[256];
    size_t size; /* in bytes, with padding */
};

/* Returns false if the bytes are not a complete handshake. */
bool handshake_parse(struct handshake *out, const uint8_t *bytes, size_t count);

/* Decides from the head of the first packet whether the type comes first. count: number of bytes available at
 * head. */
void packet_style_see_first(struct packet_style *style, const uint8_t *head, size_t count);

static inline uint16_t packet_u16(const struct packet_style *style, const uint8_t *p)
{
    uint16_t value;
    memcpy(&value, p, sizeof value);
    return style->big_endian ? __builtin_bswap16(value) : value;
}

static inline uint32_t packet_u32(const struct packet_style *style, const uint8_t *p)
{
    uint32_t value;
    memcpy(&value, p, sizeof value);
    return style->big_endian ? __builtin_bswap32(value) : value;
}

static inline uint64_t packet_pointer(const struct packet_style *style, const uint8_t *p)
{
    uint64_t value;
    if (style->pointer_size == 4)
        return packet_u32(style, p);
    memcpy(&value, p, sizeof value);
    return style->big_endian ? __builtin_bswap64(value) : value;
}

/* Reads the type and the data size in bytes from the eight bytes of a packet's head. Returns false if the
 * size is impossible. */
static inline bool packet_read_head(const struct packet_style *style, const uint8_t *head, uint32_t *type,
                                    uint32_t *size)
{
    uint32_t first = packet_u32(style, head), second = packet_u32(style, head + 4);
    *type = style->type_first ? first : second;
    *size = style->type_first ? second : first - 4; /* the size field includes the four bytes of the type */
    return style->type_first || first >= 4;
}

bool packet_type_is_known(uint32_t type);

/* Returns true for four letters or other printable characters, which a packet of a later version may have as
 * its type. */
bool packet_type_is_likely(uint32_t type);

/* Some fields were added in later versions. */
static inline bool packet_style_is_since(const struct packet_style *style, uint8_t major, uint8_t minor)
{
    return style->major > major || (style->major == major && style->minor >= minor);
}

static inline bool packet_style_has_depth(const struct packet_style *style) /* PINF has a depth */
{
    return packet_style_is_since(style, 1, 2);
}

static inline bool packet_style_has_flags(const struct packet_style *style) /* RESR has flags */
{
    return packet_style_is_since(style, 1, 3);
}

/* Returns the number of bytes that a string of this length takes. In the document the length does not include
 * the padding; the programs include it. Either way, the next field is at the next multiple of 4. */
static inline size_t packet_string_size(uint16_t length)
{
    return ((size_t)length + 2 + 3) & ~(size_t)3;
}

struct packet_string {
    const char *text; /* NULL: a null string; not necessarily terminated by a NUL */
    size_t length;    /* bytes up to the first NUL, or all */
};

/* Reads a string and advances *p. It must be known to end within the packet. */
struct packet_string packet_read_string(const struct packet_style *style, const uint8_t **p);

/* Returns how many bytes the fields of a packet of a known type take, or SIZE_MAX if that is more than the
 * count bytes at data. size is the packet's own; it distinguishes the two forms of HINF. */
size_t packet_fields_size(const struct packet_style *style, uint32_t type, uint32_t size, const uint8_t *data,
                          size_t count);

#endif
