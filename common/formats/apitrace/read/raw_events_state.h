/* SPDX-License-Identifier: MIT
 * What raw_events.c and raw_events_seek.c share.
 */
#ifndef TRACE_RAW_EVENTS_STATE_H
#define TRACE_RAW_EVENTS_STATE_H

#include "formats/apitrace/scan/event_scan.h"
#include "formats/apitrace/index/event_times.h"
#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/read/pending_calls.h"
#include "formats/apitrace/read/stream.h"

struct trace_raw_events {
    struct trace_stream stream;
    struct trace_scan scan;
    struct trace_raw_event event;
    uint64_t next_number;

    struct trace_pending_calls pending;

    uint64_t *rest; /* at the end: the numbers of those that never came */
    size_t rest_count;
    size_t rest_next;

    trace_raw_events_hook hook; /* or NULL */
    void *hook_context;

    trace_raw_events_passed_hook passed_hook; /* or NULL */
    void *passed_context;

    const struct trace_call_set *wanted; /* or NULL: all */
    uint64_t jump_at;                    /* when this call is the next, it may be worth while to jump */

    uint64_t first_offset; /* events before this place of the stream are not returned */

    struct trace_event_times times;

    bool resumes;    /* after damage */
    bool is_damaged; /* somewhere before */
    bool ended;
    int final_rc; /* comes again with every event; TRACE_ERR_DAMAGED: once */
    char final_message[512];
};

/* The window is going to move: whoever lent its bytes is told. */
int trace_raw_events_leave_window(struct trace_raw_events *e);

/* Forgets the calls that are still to be left. */
void trace_raw_events_drop_pending(struct trace_raw_events *e);

/* Passes over what is not wanted, if that is worth while. TRACE_ERR_DAMAGED: names were lost, and it goes on.
 */
int trace_raw_events_jump(struct trace_raw_events *e);

#endif
