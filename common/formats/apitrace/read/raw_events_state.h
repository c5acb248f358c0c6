/* SPDX-License-Identifier: MIT
 * Declarations that raw_events.c and raw_events_seek.c share.
 */
#ifndef TRACE_RAW_EVENTS_STATE_H
#define TRACE_RAW_EVENTS_STATE_H

#include "formats/apitrace/scan/event_scan.h"
#include "formats/apitrace/read/cursor.h"
#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/read/pending_calls.h"

struct trace_raw_events {
    struct trace_cursor cursor;
    struct trace_scan scan;
    struct trace_raw_event event;

    struct trace_pending_calls pending;

    trace_raw_events_hook hook; /* may be NULL */
    void *hook_context;

    trace_raw_events_passed_hook passed_hook; /* may be NULL */
    void *passed_context;

    bool is_damaged; /* an earlier part of the stream was damaged */
};

/* Calls the hook before the window moves, because its bytes may be lent. */
static inline int trace_raw_events_leave_window(struct trace_raw_events *e)
{
    return e->hook != NULL ? e->hook(e->hook_context) : 0;
}

/* Jumps over unwanted events if that is worthwhile. Errors: TRACE_ERR_DAMAGED if names were lost; reading
 * continues after it. */
int trace_raw_events_jump(struct trace_raw_events *e);

#endif
