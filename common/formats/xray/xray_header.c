/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_header.h"

#define BILLION UINT64_C(1000000000)

/* Both fields are below 256, so only one order of bytes makes sense of them. */
static bool is_known(const struct xray_header *h)
{
    if (h->version == 0)
        return false;
    return (h->type == XRAY_BASIC && h->version <= XRAY_BASIC_LAST_VERSION) ||
           (h->type == XRAY_FDR && h->version <= XRAY_FDR_LAST_VERSION);
}

/* Only those of less than a nanosecond fit. */
static uint64_t tick_of(uint64_t frequency)
{
    return frequency > BILLION ? (uint64_t)(((unsigned __int128)BILLION << 64) / frequency) : 0;
}

bool xray_header_parse(struct xray_header *h, const uint8_t *bytes, size_t count)
{
    if (count < XRAY_HEADER_SIZE)
        return false;
    for (int big = 0; big < 2; ++big) {
        *h = (struct xray_header){.big_endian = big != 0};
        h->version = xray_u16(h, bytes);
        h->type = xray_u16(h, bytes + 2);
        if (!is_known(h))
            continue;
        h->flags = xray_u32(h, bytes + 4); /* all but two bits are without meaning */
        h->frequency = xray_u64(h, bytes + 8);
        h->tick = tick_of(h->frequency);
        h->buffer_size = h->type == XRAY_FDR ? xray_u64(h, bytes + 16) : 0;
        xray_header_see_first(h, count > XRAY_HEADER_SIZE ? bytes[XRAY_HEADER_SIZE] : 0);
        return true;
    }
    return false;
}

/* The first record is metadata, and all kinds of it are below 64. */
void xray_header_see_first(struct xray_header *h, uint8_t first)
{
    h->high_bit_first = h->type == XRAY_FDR && h->big_endian && (first & 0x80) != 0;
    h->constant_tsc = (h->high_bit_first ? h->flags >> 31 : h->flags & 1) != 0;
    h->nonstop_tsc = (h->high_bit_first ? h->flags >> 30 & 1 : h->flags >> 1 & 1) != 0;
}

bool xray_header_is_like(const struct xray_header *a, const struct xray_header *b)
{
    return a->version == b->version && a->type == b->type && a->big_endian == b->big_endian &&
           a->high_bit_first == b->high_bit_first && a->frequency == b->frequency &&
           a->buffer_size == b->buffer_size;
}

/* Multiplies instead of dividing, which takes longer than all else that is done with a record. The product is
 * too low by less than 1, so it is 1 too low if the remainder is a nanosecond or more. */
static int64_t multiply(const struct xray_header *h, uint64_t ticks)
{
    uint64_t nanoseconds = (uint64_t)((unsigned __int128)ticks * h->tick >> 64);
    uint64_t rest = ticks * BILLION - nanoseconds * h->frequency;
    nanoseconds += rest >= h->frequency;
    return nanoseconds < INT64_MAX / BILLION * BILLION ? (int64_t)nanoseconds : INT64_MAX;
}

int64_t xray_header_time(const struct xray_header *h, uint64_t ticks)
{
    if (h->tick != 0 && h->frequency <= INT64_MAX)
        return multiply(h, ticks);
    uint64_t f = h->frequency;
    if (f == 0 || f == BILLION)
        return ticks <= INT64_MAX ? (int64_t)ticks : INT64_MAX;
    uint64_t seconds = ticks / f, rest = ticks % f;
    if (seconds >= INT64_MAX / BILLION)
        return INT64_MAX;
    uint64_t nanoseconds =
        f <= UINT64_MAX / BILLION ? rest * BILLION / f : (uint64_t)((unsigned __int128)rest * BILLION / f);
    return (int64_t)(seconds * BILLION + nanoseconds);
}
