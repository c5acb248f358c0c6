/* SPDX-License-Identifier: MIT
 * What raw_events.c and raw_events_seek.c share.
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

    trace_raw_events_hook hook; /* or NULL */
    void *hook_context;

    trace_raw_events_passed_hook passed_hook; /* or NULL */
    void *passed_context;

    bool is_damaged; /* somewhere before */
};

/* The window is going to move: whoever lent its bytes is told. */
static inline int trace_raw_events_leave_window(struct trace_raw_events *e)
{
    return e->hook != NULL ? e->hook(e->hook_context) : 0;
}

/* Passes over what is not wanted, if that is worth while. TRACE_ERR_DAMAGED: names were lost, and it goes on.
 */
int trace_raw_events_jump(struct trace_raw_events *e);

#endif
