/* SPDX-License-Identifier: MIT
 * Writes the buffer of a thread of a flight data recorder's log, in version 1 or 5, little-endian, with the
 * lowest bit first. Reserved bytes are zeros.
 */
#ifndef XRAY_BUFFER_WRITER_H
#define XRAY_BUFFER_WRITER_H

#include "formats/xray/xray_records.h"

#include "base/buf.h"

/* A moment and where it was. */
struct xray_moment {
    uint64_t ticks;
    uint16_t cpu;
};

struct xray_buffer_writer {
    unsigned version;
    uint32_t process;
    uint32_t thread;
    struct buf bytes; /* all but the extents; empty: no buffer has been begun */
    struct xray_moment last;
};

void xray_put_header(uint8_t *bytes, const struct xray_header *h); /* XRAY_HEADER_SIZE bytes */
void xray_put_extents(uint8_t *bytes, uint64_t size);              /* XRAY_METADATA_SIZE bytes */

/* Each appends records, with those before it that set processor and time. Errors: TRACE_ERR_MEMORY. */
int xray_buffer_begin(struct xray_buffer_writer *w, const struct xray_moment *at, int64_t wall_time);
int xray_buffer_put_function(struct xray_buffer_writer *w, const struct xray_moment *at, uint32_t number,
                             enum xray_action action, const uint64_t *args, uint32_t arg_count);
int xray_buffer_put_event(struct xray_buffer_writer *w, const struct xray_moment *at, enum xray_kind kind,
                          uint16_t type, const void *data, uint32_t size);
int xray_buffer_end(struct xray_buffer_writer *w); /* version 1: the record that ends it */

#endif
