/* SPDX-License-Identifier: MIT
 * The records of a flight data recorder's log: what their bytes are, and which may follow which.
 */
#ifndef XRAY_RECORDS_H
#define XRAY_RECORDS_H

#include "formats/xray/xray_header.h"

#define XRAY_FUNCTION_SIZE 8
#define XRAY_METADATA_SIZE 16
#define XRAY_FUNCTION_MAX  0x0fffffffu /* the highest number of a function */

enum xray_kind { /* of metadata, as in the file */
                 XRAY_NEW_BUFFER,
                 XRAY_END_OF_BUFFER,
                 XRAY_NEW_CPU,
                 XRAY_TSC_WRAP,
                 XRAY_WALL_TIME,
                 XRAY_CUSTOM_EVENT,
                 XRAY_CALL_ARGUMENT,
                 XRAY_BUFFER_EXTENTS,
                 XRAY_TYPED_EVENT,
                 XRAY_PID,
                 XRAY_KINDS,
                 XRAY_FUNCTION = XRAY_KINDS, /* not metadata */
                 XRAY_NOTHING,               /* not a record */
};

enum xray_action { /* of a function */
                   XRAY_ENTER,
                   XRAY_EXIT,
                   XRAY_TAIL_EXIT,
                   XRAY_ENTER_ARGS,
                   XRAY_ACTIONS,
};

/* A record with all fields that one of its kind has in its log's version. */
struct xray_record {
    enum xray_kind kind;
    enum xray_action action; /* FUNCTION */
    uint32_t function;       /* FUNCTION */
    uint64_t value;   /* absolute counter: NEW_CPU, TSC_WRAP, events; seconds: WALL_TIME; argument; extents */
    int64_t delta;    /* FUNCTION and, in version 5, events: ticks since the last time */
    bool is_relative; /* an event has a delta instead of a value */
    int32_t number;   /* thread of NEW_BUFFER, process of PID, processor of NEW_CPU; -1: not told */
    uint32_t microseconds; /* WALL_TIME */
    uint16_t type;         /* TYPED_EVENT */
    int32_t size;          /* of the data that follow an event, in bytes */
};

/* Returns the number of bytes of the record that begins with this byte, without the data of an event. */
static inline size_t xray_record_size(const struct xray_header *h, uint8_t first)
{
    bool is_metadata = (h->high_bit_first ? first >> 7 : first & 1) != 0;
    return is_metadata ? XRAY_METADATA_SIZE : XRAY_FUNCTION_SIZE;
}

/* Decodes the record at bytes, all of which must be there. Its kind is XRAY_NOTHING if it is not a record. */
void xray_record_decode(const struct xray_header *h, const uint8_t *bytes, struct xray_record *out);

static inline void xray_function_decode(const struct xray_header *h, const uint8_t *bytes,
                                        struct xray_record *out)
{
    uint32_t word = xray_u32(h, bytes);
    uint32_t action = h->high_bit_first ? word >> 28 : word >> 1 & 7;
    out->kind = action < XRAY_ACTIONS ? XRAY_FUNCTION : XRAY_NOTHING;
    out->action = (enum xray_action)action;
    out->function = h->high_bit_first ? word & XRAY_FUNCTION_MAX : word >> 4;
    out->delta = xray_u32(h, bytes + 4);
}

/* Returns true if a record of kind `next` may follow one of kind `before` inside a buffer. BUFFER_EXTENTS
 * begins a buffer, NEW_BUFFER in version 1. */
bool xray_may_follow(enum xray_kind before, enum xray_action action, enum xray_kind next);

/* Returns the size of the records by which the beginning of a buffer is recognised. */
size_t xray_preamble_size(const struct xray_header *h);

/* Checks whether a buffer begins at bytes. complete: all records of the preamble are there. */
bool xray_buffer_begins(const struct xray_header *h, const uint8_t *bytes, size_t count, bool *complete);

/* Checks whether the bytes are records of a buffer, as far as suffices. is_all: the buffer ends with them. */
bool xray_records_follow(const struct xray_header *h, const uint8_t *bytes, size_t count, bool is_all);

#endif
