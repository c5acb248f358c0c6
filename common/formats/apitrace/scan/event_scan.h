/* SPDX-License-Identifier: MIT
 * Finds the end of an event, checking as strictly as the parser does, and notes marks and
 * definitions on the way.
 * Private to raw_events*.c, event_*.c, reader_batches.c and resync.c.
 */
#ifndef TRACE_EVENT_SCAN_H
#define TRACE_EVENT_SCAN_H

#include "formats/apitrace/scan/event_shapes.h"
#include "formats/apitrace/raw_event.h"
#include "formats/apitrace/parse/parser_bytes.h"

#include "base/buf.h"

struct trace_scan {
    struct trace_parser *s;
    bool noting;
    int rc;               /* why the scan stopped: an error or TRACE_PARSE_MORE */
    const uint8_t *event; /* its start; NULL: nothing is noted */
    uint64_t blob_bytes;
    uint64_t items; /* values in arrays and structures of these details so far */
    bool checked;   /* it has no more of them than the parser allows */
    struct trace_mark *marks;
    size_t mark_count;
    size_t mark_cap;
    struct trace_definition *definitions;
    size_t definition_count;
    size_t definition_cap;
    struct trace_shapes shapes; /* of the events so far */
    bool learns;                /* shapes, also while marks are noted */
};

void trace_scan_fini(struct trace_scan *sc);

/* Each takes the position of what it reads, and returns the position behind it; NULL (rc is set, and s->p is
 * near the place) when it does not end in the window or is malformed. */
const uint8_t *trace_scan_long_uint(struct trace_scan *sc, const uint8_t *p, uint64_t *out);
/* Of an enter, behind its tag: up to its details. */
const uint8_t *trace_scan_enter_head(struct trace_scan *sc, const uint8_t *p, uint32_t *thread,
                                     const struct trace_function_sig **sig);
const uint8_t *trace_scan_details(struct trace_scan *sc, const uint8_t *p, uint32_t arg_count);

/* As trace_scan_details(), of a call of sig. Remembers what its events look like, once what they define is
 * committed, unless marks are wanted and `learns` is not set. */
const uint8_t *trace_scan_details_of(struct trace_scan *sc, const uint8_t *p,
                                     const struct trace_function_sig *sig, bool leave);

/* Passes over calls from p on that are entered and left one by one, are of shapes seen before, and end no
 * frame, until one begins behind `until` or has number `last`. *number: of the next call. Returns the end of
 * the last one passed. */
const uint8_t *trace_scan_pass_known(const struct trace_scan *sc, const uint8_t *p, const uint8_t *until,
                                     uint64_t *number, uint64_t last);

/* The same to the window's end, of at most max calls: tells what each was. */
const uint8_t *trace_scan_list_known(const struct trace_scan *sc, const uint8_t *p, uint64_t *number,
                                     struct trace_known_call *calls, size_t max);

/* The same of calls that are copied: appends them to out, with numbers from *as on, while there is room for
 * any. */
const uint8_t *trace_scan_copy_known(const struct trace_scan *sc, const uint8_t *p, uint64_t *number,
                                     uint64_t last, uint64_t *as, struct buf *out);

/* Are there shapes? They may stand in for the scan where nothing is noted. */
static inline bool trace_scan_has_shapes(const struct trace_scan *sc)
{
    return (!sc->noting || sc->learns) && !sc->s->damaged && sc->s->version >= 4;
}

static inline const uint8_t *trace_scan_uint(struct trace_scan *sc, const uint8_t *p, uint64_t *out)
{
    if (sc->s->end - p >= 4) { /* call numbers, most of all */
        uint64_t value = p[0] & 0x7fu;
        if (p[0] < 0x80) {
            *out = value;
            return p + 1;
        }
        value |= (uint64_t)(p[1] & 0x7f) << 7;
        if (p[1] < 0x80) {
            *out = value;
            return p + 2;
        }
        value |= (uint64_t)(p[2] & 0x7f) << 14;
        if (p[2] < 0x80) {
            *out = value;
            return p + 3;
        }
        value |= (uint64_t)(p[3] & 0x7f) << 21;
        if (p[3] < 0x80) {
            *out = value;
            return p + 4;
        }
    }
    return trace_scan_long_uint(sc, p, out);
}

#endif
