/* SPDX-License-Identifier: MIT
 * The header of a log, which says how the rest is encoded. docs/xray-format.md describes it byte by byte.
 */
#ifndef XRAY_HEADER_H
#define XRAY_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define XRAY_HEADER_SIZE 32

enum xray_log_type {
    XRAY_BASIC, /* records of a fixed size, called naive in version 1 */
    XRAY_FDR,   /* the buffers of a flight data recorder */
};

enum {
    XRAY_BASIC_LAST_VERSION = 3,
    XRAY_FDR_LAST_VERSION = 5,
};

struct xray_header {
    uint16_t version;
    uint16_t type;  /* enum xray_log_type */
    uint32_t flags; /* the word from which the next two are taken */
    bool constant_tsc;
    bool nonstop_tsc;
    bool big_endian;
    bool high_bit_first; /* bit fields begin with the highest bit; only if big_endian is set */
    uint64_t frequency;  /* of the counter, in Hz; 0: unknown */
    uint64_t tick; /* nanoseconds of a tick, in units of 2^-64, rounded down; 0: one or more, or unset */
    uint64_t buffer_size; /* of each buffer of a version 1 FDR log, in bytes; otherwise without meaning */
};

/* Parses the header of a log, which begins at bytes. Returns false if there is none. The order of bits is not
 * in the header. It is taken from the first byte of the first record, if that is there; otherwise
 * xray_header_see_first() may be told of it later. */
bool xray_header_parse(struct xray_header *h, const uint8_t *bytes, size_t count);
void xray_header_see_first(struct xray_header *h, uint8_t first);

/* Returns true if the headers say the same about the counter and the records. */
bool xray_header_is_like(const struct xray_header *a, const struct xray_header *b);

/* Converts a reading of the counter to nanoseconds, rounded down. */
int64_t xray_header_time(const struct xray_header *h, uint64_t ticks);

static inline uint16_t xray_u16(const struct xray_header *h, const uint8_t *p)
{
    return (uint16_t)(h->big_endian ? p[0] << 8 | p[1] : p[1] << 8 | p[0]);
}

static inline uint32_t xray_u32(const struct xray_header *h, const uint8_t *p)
{
    uint32_t value;
    memcpy(&value, p, sizeof value);
    bool swap = h->big_endian == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    return swap ? __builtin_bswap32(value) : value;
}

static inline uint64_t xray_u64(const struct xray_header *h, const uint8_t *p)
{
    uint64_t value;
    memcpy(&value, p, sizeof value);
    bool swap = h->big_endian == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    return swap ? __builtin_bswap64(value) : value;
}

#endif
