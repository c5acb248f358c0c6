/* SPDX-License-Identifier: MIT */
#include "info/info_scan.h"

#include "base/error.h"
#include "shell/command.h"
#include "shell/progress.h"

#include <stdlib.h>
#include <string.h>

#define PLAIN_CALLS 128 /* told of at once */

/* --- the parts ------------------------------------------------------------------------------------- */

/* The function whose prefix comes first in the trace tells; the texts are apitrace's. */
const char *info_find_api(const char *name)
{
    static const struct {
        const char *prefix;
        const char *api;
    } apis[] = {
        {"glX", "OpenGL + GLX/WGL/CGL"},
        {"wgl", "OpenGL + GLX/WGL/CGL"},
        {"CGL", "OpenGL + GLX/WGL/CGL"},
        {"egl", "OpenGL/GLES1/GLES2/VG + EGL"},
        {"D3D", "DirectX"},
        {"Direct", "DirectX"},
        {"Create", "DirectX"},
    };
    for (size_t i = 0; i < sizeof apis / sizeof apis[0]; ++i)
        if (strncmp(name, apis[i].prefix, strlen(apis[i].prefix)) == 0)
            return apis[i].api;
    return NULL;
}

int info_add_frame(struct trace_info *info, const struct info_frame *frame)
{
    if (info->frame_count == info->frame_cap) {
        size_t cap = info->frame_cap == 0 ? 256 : info->frame_cap * 2;
        struct info_frame *frames = realloc(info->frames, cap * sizeof *frames);
        if (frames == NULL)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        info->frames = frames;
        info->frame_cap = cap;
    }
    info->frames[info->frame_count] = *frame;
    return 0;
}

/* --- the pass -------------------------------------------------------------------------------------- */

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
    frame->bytes = end - frame->bytes; /* until here, it held where the frame begins */
    int rc = info->wants_frames ? info_add_frame(info, frame) : 0;
    info->frame_count++;
    *frame = (struct info_frame){.bytes = end};
    return rc;
}

static void add_plain(struct info_frame *frame, uint64_t first, uint64_t count)
{
    if (count > 0 && frame->calls == 0)
        frame->first_call = first;
    frame->calls += count;
}

static int count_plain(struct trace_info *info, struct trace_raw_events *events, struct info_frame *frame)
{
    struct trace_plain_call calls[PLAIN_CALLS];
    uint64_t first;
    size_t count = PLAIN_CALLS;
    int rc = 0;
    if (!info->wants_stats) {
        uint64_t passed = trace_raw_events_pass_plain(events, &first);
        add_plain(frame, first, passed);
        return 0;
    }
    while (rc == 0 && count == PLAIN_CALLS) {
        count = trace_raw_events_list_plain(events, calls, PLAIN_CALLS, &first);
        add_plain(frame, first, count);
        rc = info_stats_add_plain(info, calls, count);
    }
    return rc;
}

/* Calls that did not return come last: the program may have been killed while it swapped buffers. */
static int count_incomplete(struct trace_info *info, struct trace_raw_events *events,
                            struct info_frame *frame)
{
    struct trace_raw_event event;
    int rc = 0;
    while (rc == 0 && trace_raw_events_next_incomplete(events, &event))
        rc = count_return(info, &event, frame);
    return rc;
}

static int next_event(struct trace_info *info, struct trace_raw_events *events,
                      const struct trace_raw_event **event)
{
    int rc;
    while ((rc = trace_raw_events_next(events, event)) == TRACE_ERR_DAMAGED)
        info->damaged = cli_print_warning();
    return rc;
}

static int scan_events(struct trace_info *info, struct trace_raw_events *events)
{
    struct info_frame frame = {0}; /* the first one has the header */
    const struct trace_raw_event *event;
    int rc;
    while ((rc = next_event(info, events, &event)) == 0 && event != NULL) {
        if (info->api == NULL && event->sig != NULL)
            info->api = info_find_api(event->sig->name);
        if (event->tag == TRACE_RAW_EVENT_LEAVE)
            rc = count_return(info, event, &frame);
        if (rc == 0 && info->wants_stats)
            rc = info_stats_add_event(info, event);
        if (rc == 0)
            rc = count_plain(info, events, &frame);
        if (rc != 0)
            return trace_error_prefix(rc, "%s", info->path);
    }
    int end_rc = rc == 0 || rc == TRACE_ERR_TRUNCATED ? count_incomplete(info, events, &frame) : 0;
    return rc != 0 ? rc : end_rc;
}

int info_scan(struct trace_info *info, const char *path, bool frames, bool stats)
{
    struct trace_raw_events *events;
    *info = (struct trace_info){.path = path, .wants_frames = frames, .wants_stats = stats};
    int rc = trace_raw_events_open(&events, path, false);
    if (rc != 0)
        return rc;
    if (!info_read_index(info, events)) {
        trace_raw_events_resume_after_damage(events);
        progress_watch_events(events);
        rc = scan_events(info, events);
        info->stream_bytes = trace_raw_events_offset(events);
    }
    info->container = trace_raw_events_container(events);
    info->semantic_version = trace_raw_events_semantic_version(events);
    info->file_bytes = trace_raw_events_file_size(events);
    if (info->api == NULL)
        info->api = "Unknown API";
    info_stats_finish(info);
    if (rc == 0)
        info_warn_of_index(info, events);
    trace_raw_events_close(events);
    return rc;
}

void info_fini(struct trace_info *info)
{
    info_stats_fini(info);
    free(info->frames);
}
