/* SPDX-License-Identifier: MIT */
#include "info/info_scan.h"

#include "base/error.h"
#include "info/info_index.h"
#include "info/info_stats.h"

#define KNOWN_CALLS 128 /* number of calls that are listed at a time */

/* Frames consist of the calls in the order in which they return, as for apitrace. */
static int count_return(struct trace_info *info, const struct trace_raw_event *event,
                        struct info_frame *frame)
{
    if (event->sig == NULL)
        return 0;
    if (frame->calls++ == 0)
        frame->first_call = event->call;
    if ((event->sig->flags & TRACE_CALL_END_FRAME) == 0)
        return 0;
    uint64_t end = event->offset + event->size;
    frame->last_call = event->call;
    frame->bytes = end - frame->bytes; /* until here, it contained the start of the frame */
    int rc = info->wants_frames ? trace_info_add_frame(info, frame) : 0;
    info->frame_count++;
    *frame = (struct info_frame){.bytes = end};
    return rc;
}

static void add_known(struct info_frame *frame, uint64_t first, uint64_t count)
{
    if (count > 0 && frame->calls == 0)
        frame->first_call = first;
    frame->calls += count;
}

static int count_known(struct trace_info *info, struct trace_raw_events *events, struct info_frame *frame)
{
    struct trace_known_call calls[KNOWN_CALLS];
    uint64_t first;
    size_t count = KNOWN_CALLS;
    int rc = 0;
    if (!info->wants_stats) {
        uint64_t passed = trace_raw_events_pass_known(events, UINT64_MAX, &first);
        add_known(frame, first, passed);
        return 0;
    }
    while (rc == 0 && count == KNOWN_CALLS) {
        count = trace_raw_events_list_known(events, calls, KNOWN_CALLS, &first);
        add_known(frame, first, count);
        rc = info_stats_add_known(info, calls, count);
    }
    return rc;
}

/* Calls that did not return come last, since the program may have been killed while it swapped buffers. */
static int count_incomplete(struct trace_info *info, struct trace_raw_events *events,
                            struct info_frame *frame)
{
    struct trace_raw_event event;
    int rc = 0;
    while (rc == 0 && trace_raw_events_next_incomplete(events, &event))
        rc = count_return(info, &event, frame);
    return rc;
}

static int scan_events(struct trace_info *info, struct event_input *in)
{
    struct info_frame frame = {0}; /* the first frame includes the header */
    const struct trace_raw_event *event;
    int rc;
    while ((rc = event_input_next(in, &event)) == 0 && event != NULL) {
        if (info->api == NULL && event->sig != NULL)
            info->api = trace_info_find_api(event->sig->name);
        if (event->tag == TRACE_RAW_EVENT_LEAVE)
            rc = count_return(info, event, &frame);
        if (rc == 0 && info->wants_stats)
            rc = info_stats_add_event(info, event);
        if (rc == 0)
            rc = count_known(info, in->events, &frame);
        if (rc != 0)
            return trace_error_prefix(rc, "%s", info->path);
    }
    return rc != 0 ? rc : count_incomplete(info, in->events, &frame);
}

int info_scan(struct trace_info *info, struct event_input *in)
{
    int rc = 0;
    if (!info_read_index(info, in->events)) {
        rc = scan_events(info, in);
        info->stream_bytes = trace_raw_events_offset(in->events);
    }
    info->container = trace_raw_events_container(in->events);
    info->semantic_version = trace_raw_events_semantic_version(in->events);
    info->property_count = trace_raw_events_properties(in->events, &info->properties);
    info->file_bytes = trace_raw_events_file_size(in->events);
    if (info->api == NULL)
        info->api = "Unknown API";
    info_stats_finish(info);
    if (rc == 0)
        info_warn_of_index(info, in->events);
    return rc;
}
