/* SPDX-License-Identifier: MIT
 * Finds the end of an event, with the same checks as the parser, and collects its marks and definitions.
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
    int rc;               /* why the scan stopped: an error code or TRACE_PARSE_MORE */
    const uint8_t *event; /* start of the event; NULL: marks and definitions are not collected */
    uint64_t blob_bytes;
    uint64_t items; /* number of values in arrays and structures of these details so far */
    bool checked;   /* the number of values is known to be within the parser's limit */
    struct trace_mark *marks;
    size_t mark_count;
    size_t mark_cap;
    struct trace_definition *definitions;
    size_t definition_count;
    size_t definition_cap;
    struct trace_shapes shapes; /* shapes of the events scanned so far */
    bool learns;                /* collect shapes even if marks are collected */
    bool leaves_enums;          /* stop before the definition of an enum, with TRACE_PARSE_MORE */
};

void trace_scan_fini(struct trace_scan *sc);

/* Each function takes the position of what it reads and returns the position after it. It returns NULL if the
 * window ends inside it, or if it is malformed; then rc is set, and s->p is near that position. */
const uint8_t *trace_scan_long_uint(struct trace_scan *sc, const uint8_t *p, uint64_t *out);
/* Scans an enter event from after its tag up to its details. */
const uint8_t *trace_scan_enter_head(struct trace_scan *sc, const uint8_t *p, uint32_t *thread,
                                     const struct trace_function_sig **sig);
const uint8_t *trace_scan_details(struct trace_scan *sc, const uint8_t *p, uint32_t arg_count);

/* Does the same as trace_scan_details() for a call of sig. Collects its shape when the definitions in it have
 * been committed, unless marks are wanted and `learns` is not set. */
const uint8_t *trace_scan_details_of(struct trace_scan *sc, const uint8_t *p,
                                     const struct trace_function_sig *sig, bool leave);

/* Skips calls from p on that return immediately, have a known shape, and end no frame. Stops at a call that
 * begins after `until` or has the number `last`. *number is that of the next call. Returns the end of the
 * last skipped call. */
const uint8_t *trace_scan_pass_known(const struct trace_scan *sc, const uint8_t *p, const uint8_t *until,
                                     uint64_t *number, uint64_t last);

/* Does the same up to the end of the window for at most max calls, and lists them. */
const uint8_t *trace_scan_list_known(const struct trace_scan *sc, const uint8_t *p, uint64_t *number,
                                     struct trace_known_call *calls, size_t max);

/* Does the same for calls that are copied: appends them to out, with numbers from *as on, as long as there is
 * room. */
const uint8_t *trace_scan_copy_known(const struct trace_scan *sc, const uint8_t *p, uint64_t *number,
                                     uint64_t last, uint64_t *as, struct buf *out);

/* Returns true if there are shapes. They can replace a scan if no marks are collected. */
static inline bool trace_scan_has_shapes(const struct trace_scan *sc)
{
    return (!sc->noting || sc->learns) && !sc->s->damaged && sc->s->version >= 4;
}

static inline const uint8_t *trace_scan_uint(struct trace_scan *sc, const uint8_t *p, uint64_t *out)
{
    if (sc->s->end - p >= 4) { /* fast path, mostly for call numbers */
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
