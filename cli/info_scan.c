/* SPDX-License-Identifier: MIT */
#include "info_scan.h"

#include "base/error.h"
#include "command.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

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
            return error_set(ERR_MEMORY, "out of memory");
        info->frames = frames;
        info->frame_cap = cap;
    }
    info->frames[info->frame_count] = *frame;
    return 0;
}

/* The item of key, new ones zeroed; NULL when memory is out. */
static struct info_count *find_count(struct info_counts *c, uint64_t key)
{
    uint64_t at;
    if (int_map_get(&c->index, key, &at))
        return &c->items[at];
    if (c->count == c->cap) {
        size_t cap = c->cap == 0 ? 64 : c->cap * 2;
        struct info_count *items = realloc(c->items, cap * sizeof *items);
        if (items == NULL) {
            error_set(ERR_MEMORY, "out of memory");
            return NULL;
        }
        c->items = items;
        c->cap = cap;
    }
    if (int_map_set(&c->index, key, c->count) != 0)
        return NULL;
    c->items[c->count] = (struct info_count){0};
    return &c->items[c->count++];
}

static void add_event(struct info_count *c, const struct trace_event *event)
{
    c->calls += event->tag == TRACE_EVENT_ENTER;
    c->bytes += event->size;
    c->blob_bytes += event->blob_bytes;
    if (event->tag == TRACE_EVENT_ENTER && event->blob_bytes > 0) {
        c->uploads++;
        c->uploaded += event->blob_bytes;
    }
}

static void sum_up_uploads(struct trace_info *info)
{
    for (size_t i = 0; i < info->functions.count; ++i) {
        const struct info_count *c = &info->functions.items[i];
        struct info_upload *u = &info->uploads[trace_call_upload(c->name)];
        u->calls += c->uploads;
        u->bytes += c->uploaded;
    }
}

static int add_stats(struct trace_info *info, const struct trace_event *event)
{
    if (event->sig == NULL)
        return 0;
    struct info_count *function = find_count(&info->functions, (uint64_t)(uintptr_t)event->sig);
    struct info_count *thread = find_count(&info->threads, event->thread);
    if (function == NULL || thread == NULL)
        return ERR_MEMORY;
    if (function->name == NULL && (function->name = strdup(event->sig->name)) == NULL)
        return error_set(ERR_MEMORY, "out of memory");
    thread->thread = event->thread;
    add_event(function, event);
    add_event(thread, event);
    info->calls += event->tag == TRACE_EVENT_ENTER;
    info->incomplete += event->tag == TRACE_EVENT_ENTER;
    info->incomplete -= event->tag == TRACE_EVENT_LEAVE;
    return 0;
}

static int by_bytes(const void *a, const void *b)
{
    const struct info_count *x = a;
    const struct info_count *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return strcmp(x->name, y->name);
}

static int by_thread(const void *a, const void *b)
{
    const struct info_count *x = a;
    const struct info_count *y = b;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* --- the pass -------------------------------------------------------------------------------------- */

/* Frames consist of the calls in the order in which they return, as for apitrace. */
static int count_return(struct trace_info *info, const struct trace_event *event, struct info_frame *frame)
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

static void count_plain(struct trace_events *events, struct info_frame *frame)
{
    uint64_t first;
    uint64_t count = trace_events_pass_plain(events, &first);
    if (count > 0 && frame->calls == 0)
        frame->first_call = first;
    frame->calls += count;
}

/* Calls that did not return come last: the program may have been killed while it swapped buffers. */
static int count_incomplete(struct trace_info *info, struct trace_events *events, struct info_frame *frame)
{
    struct trace_event event;
    int rc = 0;
    while (rc == 0 && trace_events_next_incomplete(events, &event))
        rc = count_return(info, &event, frame);
    return rc;
}

static int next_event(struct trace_info *info, struct trace_events *events, const struct trace_event **event)
{
    int rc;
    while ((rc = trace_events_next(events, event)) == ERR_DAMAGED)
        info->damaged = cli_print_warning();
    return rc;
}

static int scan_events(struct trace_info *info, struct trace_events *events)
{
    struct info_frame frame = {0}; /* the first one has the header */
    const struct trace_event *event;
    int rc;
    while ((rc = next_event(info, events, &event)) == 0 && event != NULL) {
        if (info->api == NULL && event->sig != NULL)
            info->api = info_find_api(event->sig->name);
        if (event->tag == TRACE_EVENT_LEAVE)
            rc = count_return(info, event, &frame);
        if (rc == 0 && info->wants_stats)
            rc = add_stats(info, event);
        if (rc != 0)
            return error_prefix(rc, "%s", info->path);
        if (!info->wants_stats)
            count_plain(events, &frame);
    }
    int end_rc = rc == 0 || rc == ERR_TRUNCATED ? count_incomplete(info, events, &frame) : 0;
    return rc != 0 ? rc : end_rc;
}

int info_scan(struct trace_info *info, const char *path, bool frames, bool stats)
{
    struct trace_events *events;
    *info = (struct trace_info){.path = path, .wants_frames = frames, .wants_stats = stats};
    int rc = trace_events_open(&events, path, false);
    if (rc != 0)
        return rc;
    if (!info_read_index(info, events)) {
        trace_events_resume_after_damage(events);
        progress_watch_events(events);
        rc = scan_events(info, events);
        info->stream_bytes = trace_events_offset(events);
    }
    info->container = trace_events_container(events);
    info->semantic_version = trace_events_semantic_version(events);
    info->file_bytes = trace_events_file_size(events);
    if (info->api == NULL)
        info->api = "Unknown API";
    sum_up_uploads(info);
    if (info->functions.count > 0) {
        qsort(info->functions.items, info->functions.count, sizeof *info->functions.items, by_bytes);
        qsort(info->threads.items, info->threads.count, sizeof *info->threads.items, by_thread);
    }
    if (rc == 0)
        info_warn_of_index(info, events);
    trace_events_close(events);
    return rc;
}

void info_fini(struct trace_info *info)
{
    for (size_t i = 0; i < info->functions.count; ++i)
        free((char *)(uintptr_t)info->functions.items[i].name);
    free(info->functions.items);
    int_map_fini(&info->functions.index);
    free(info->threads.items);
    int_map_fini(&info->threads.index);
    free(info->frames);
}
