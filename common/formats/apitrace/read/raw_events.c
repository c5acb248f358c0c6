/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/raw_events_state.h"

#include "formats/apitrace/scan/reparse_event.h"
#include "formats/apitrace/read/resync.h"
#include "trace/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGS 256 /* of a leave that belongs to no call; as in reader.c */

/* --- events ---------------------------------------------------------------------------------------- */

/* Fills in the event's number, signature and thread. */
static void find_pending(const struct trace_raw_events *e, uint64_t number, struct trace_raw_event *event)
{
    struct trace_pending_call call = trace_pending_calls_find(&e->pending, number);
    event->call = number;
    event->sig = call.sig;
    event->thread = call.thread;
}

static const uint8_t *scan_enter(struct trace_raw_events *e, const uint8_t *p)
{
    struct trace_scan *sc = &e->scan;
    const struct trace_function_sig *sig = NULL;
    uint64_t thread = 0;
    if (e->stream.version >= 4)
        p = trace_scan_uint(sc, p, &thread);
    if (p != NULL && thread > UINT32_MAX) {
        sc->rc = trace_error_set(TRACE_ERR_FORMAT, "thread number %llu is out of range",
                                 (unsigned long long)thread);
        return NULL;
    }
    if (p != NULL)
        p = trace_scan_function(sc, p, &sig);
    if (p != NULL)
        p = trace_scan_details_of(sc, p, sig, false);
    if (p == NULL)
        return NULL;
    sc->rc = trace_pending_calls_enter(&e->pending, e->next_number, sig, (uint32_t)thread);
    if (sc->rc != 0)
        return NULL;
    e->event.sig = sig;
    e->event.call = e->next_number++;
    e->event.thread = (uint32_t)thread;
    return p;
}

static const uint8_t *scan_leave(struct trace_raw_events *e, const uint8_t *p)
{
    struct trace_scan *sc = &e->scan;
    uint64_t number;
    const uint8_t *details = trace_scan_uint(sc, p, &number);
    if (details == NULL)
        return NULL;
    find_pending(e, number, &e->event);
    const struct trace_function_sig *sig = e->event.sig;
    const uint8_t *end = details + 1;
    if (details == sc->s->end || *details != TRACE_DETAIL_END) /* few calls return anything */
        end = sig != NULL ? trace_scan_details_of(sc, details, sig, true)
                          : trace_scan_details(sc, details, MAX_ARGS);
    if (end == NULL)
        return NULL;
    trace_pending_calls_remove(&e->pending, number);
    e->event.number_size = (size_t)(details - p);
    return end;
}

/* One event from p; NULL with scan.rc set as the scan's functions do. */
static const uint8_t *scan_event(struct trace_raw_events *e, const uint8_t *p)
{
    struct trace_scan *sc = &e->scan;
    sc->rc = 0;
    sc->event = p;
    sc->mark_count = 0;
    sc->definition_count = 0;
    sc->blob_bytes = 0;
    if (p == sc->s->end) {
        sc->rc = trace_parse_more(sc->s, 1);
        return NULL;
    }
    e->event.tag = *p;
    if (*p == TRACE_RAW_EVENT_LEAVE)
        return scan_leave(e, p + 1);
    if (*p == TRACE_RAW_EVENT_ENTER)
        return scan_enter(e, p + 1);
    sc->rc = trace_error_set(TRACE_ERR_FORMAT, "unknown event 0x%02x", *p);
    return NULL;
}

/* The same; what is not accepted is left to the parser. */
static const uint8_t *scan_and_check(struct trace_raw_events *e, const uint8_t *p)
{
    const uint8_t *end = scan_event(e, p);
    if (end != NULL || e->scan.rc != TRACE_ERR_FORMAT)
        return end;
    e->scan.rc = trace_reparse_event(&e->stream.parser, p, e->next_number, e->event.sig);
    if (e->scan.rc != 0)
        return NULL;
    trace_signatures_rollback(&e->stream.parser.sigs);
    e->scan.checked = true; /* the parser packs arrays, and so allows more of them */
    end = scan_event(e, p);
    e->scan.checked = false;
    return end;
}

static int fail(struct trace_raw_events *e, int rc)
{
    e->final_rc = rc;
    strncpy(e->final_message, trace_error_message(), sizeof e->final_message - 1);
    return rc;
}

static int repeat_error(struct trace_raw_events *e)
{
    int rc = e->final_rc;
    if (rc == TRACE_ERR_DAMAGED)
        e->final_rc = 0;
    return trace_error_set(rc, "%s", e->final_message);
}

int trace_raw_events_leave_window(struct trace_raw_events *e)
{
    return e->hook != NULL ? e->hook(e->hook_context) : 0;
}

static int resume(struct trace_raw_events *e, const uint8_t *from)
{
    bool found;
    char message[384];
    snprintf(message, sizeof message, "%s", trace_error_message());
    int rc = trace_raw_events_leave_window(e);
    if (rc != 0)
        return fail(e, rc);
    trace_error_set(TRACE_ERR_FORMAT, "%s", message);
    e->is_damaged = true;
    e->times.known = false;
    rc = trace_resync(&e->stream, from, &e->next_number, &found);
    e->scan.noting = true;
    e->ended = !found;
    return rc == TRACE_ERR_DAMAGED ? rc : fail(e, rc);
}

/* The window ends inside an event, or between two. */
static int extend(struct trace_raw_events *e, const uint8_t *event)
{
    bool more;
    bool partial = event != e->stream.parser.end;
    int hook_rc = trace_raw_events_leave_window(e);
    if (hook_rc != 0)
        return fail(e, hook_rc);
    trace_signatures_rollback(&e->stream.parser.sigs);
    e->stream.parser.p = event;
    int rc = trace_stream_refill(&e->stream, event, e->stream.parser.need, &more);
    if (rc == 0 && more)
        return 0;
    if (rc == 0 && partial)
        rc = trace_stream_prefix_place(
            &e->stream, trace_error_set(TRACE_ERR_TRUNCATED, "the trace ends inside an event"));
    e->ended = rc == 0 || rc == TRACE_ERR_TRUNCATED;
    if (rc == TRACE_ERR_FORMAT && e->resumes)
        return resume(e, e->stream.parser.end);
    return e->ended ? rc : fail(e, rc);
}

static void hide_lost_function(struct trace_raw_event *event)
{
    if (event->sig != NULL && trace_function_is_lost(event->sig))
        event->sig = NULL;
}

/* Of the event that was just found. */
static int64_t next_time(struct trace_raw_events *e)
{
    if (!e->times.known)
        return TRACE_NO_TIME;
    return trace_event_times_next(&e->times, trace_input_index(e->stream.in, NULL), e->event.offset);
}

int trace_raw_events_next(struct trace_raw_events *e, const struct trace_raw_event **out)
{
    *out = NULL;
    if (e->final_rc != 0)
        return repeat_error(e);
    while (!e->ended) {
        int rc;
        if (e->next_number >= e->jump_at && (rc = trace_raw_events_jump(e)) != 0)
            return rc == TRACE_ERR_DAMAGED ? rc : fail(e, rc);
        const uint8_t *p = e->stream.parser.p;
        const uint8_t *end = scan_and_check(e, p);
        if (end != NULL) {
            trace_signatures_commit(&e->stream.parser.sigs);
            if (e->stream.parser.damaged)
                hide_lost_function(&e->event);
            e->event.bytes = p;
            e->event.size = (size_t)(end - p);
            e->event.offset = e->stream.window_offset + (uint64_t)(p - e->stream.window);
            e->event.time = next_time(e);
            e->event.blob_bytes = e->scan.blob_bytes;
            e->event.marks = e->scan.marks;
            e->event.mark_count = e->scan.mark_count;
            e->event.definitions = e->scan.definitions;
            e->event.definition_count = e->scan.definition_count;
            e->stream.parser.p = end;
            if (e->event.offset < e->first_offset)
                continue;
            *out = &e->event;
            return 0;
        }
        rc = e->scan.rc;
        if (rc != TRACE_PARSE_MORE) {
            rc = trace_stream_prefix_place(&e->stream, rc);
            return rc == TRACE_ERR_FORMAT && e->resumes ? resume(e, p + 1) : fail(e, rc);
        }
        rc = extend(e, p);
        if (rc != 0)
            return rc;
    }
    return 0;
}

static bool may_pass_known(const struct trace_raw_events *e)
{
    return !e->times.known && e->next_number < e->jump_at && e->final_rc == 0 &&
           trace_stream_offset(&e->stream) >= e->first_offset;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t trace_raw_events_pass_known(struct trace_raw_events *e, uint64_t until, uint64_t *first)
{
    struct trace_parser *s = &e->stream.parser;
    *first = e->next_number;
    if (may_pass_known(e))
        s->p = trace_scan_pass_known(&e->scan, s->p, s->end, &e->next_number, least(until, e->jump_at));
    return e->next_number - *first;
}

uint64_t trace_raw_events_copy_known(struct trace_raw_events *e, uint64_t until, uint64_t as, struct buf *out)
{
    struct trace_parser *s = &e->stream.parser;
    uint64_t first = e->next_number;
    if (may_pass_known(e))
        s->p = trace_scan_copy_known(&e->scan, s->p, &e->next_number, least(until, e->jump_at), &as, out);
    return e->next_number - first;
}

void trace_raw_events_forget_known(struct trace_raw_events *e)
{
    trace_shapes_fini(&e->scan.shapes);
    e->scan.learns = true;
}

size_t trace_raw_events_list_known(struct trace_raw_events *e, struct trace_known_call *calls, size_t max,
                                   uint64_t *first)
{
    struct trace_parser *s = &e->stream.parser;
    *first = e->next_number;
    if (may_pass_known(e))
        s->p = trace_scan_list_known(&e->scan, s->p, &e->next_number, calls,
                                     least(max, e->jump_at - e->next_number));
    return (size_t)(e->next_number - *first);
}

void trace_raw_events_resume_after_damage(struct trace_raw_events *e)
{
    e->resumes = true;
    trace_input_resume_after_damage(e->stream.in);
}

uint64_t trace_raw_events_next_number(const struct trace_raw_events *e)
{
    return e->next_number;
}

bool trace_raw_events_is_damaged(const struct trace_raw_events *e)
{
    return e->is_damaged;
}

void trace_raw_events_before_move(struct trace_raw_events *e, trace_raw_events_hook hook, void *context)
{
    e->hook = hook;
    e->hook_context = context;
}

/* --- the end --------------------------------------------------------------------------------------- */

void trace_raw_events_drop_pending(struct trace_raw_events *e)
{
    trace_pending_calls_fini(&e->pending);
    free(e->rest);
    e->rest = NULL;
    e->rest_count = e->rest_next = 0;
}

bool trace_raw_events_next_incomplete(struct trace_raw_events *e, struct trace_raw_event *out)
{
    if (e->rest == NULL)
        e->rest = trace_pending_calls_numbers(&e->pending, &e->rest_count);
    out->sig = NULL;
    while (e->rest_next < e->rest_count && out->sig == NULL) {
        *out =
            (struct trace_raw_event){.tag = TRACE_RAW_EVENT_ENTER, .offset = trace_stream_offset(&e->stream)};
        find_pending(e, e->rest[e->rest_next++], out);
        hide_lost_function(out);
    }
    return out->sig != NULL;
}

/* --- opening and closing --------------------------------------------------------------------------- */

int trace_raw_events_open_probed(struct trace_raw_events **out, struct trace_probe *probe, bool marks)
{
    struct trace_raw_events *e = calloc(1, sizeof *e);
    if (e == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    e->jump_at = UINT64_MAX;
    e->scan.s = &e->stream.parser;
    e->scan.noting = marks;
    int rc = trace_stream_open(&e->stream, probe);
    if (rc != 0) {
        trace_raw_events_close(e);
        return rc;
    }
    *out = e;
    return 0;
}

int trace_raw_events_open(struct trace_raw_events **out, const char *path, bool marks)
{
    struct trace_probe probe;
    int rc = trace_probe_open(&probe, path);
    if (rc == 0)
        rc = trace_raw_events_open_probed(out, &probe, marks);
    trace_probe_close(&probe);
    return rc;
}

void trace_raw_events_close(struct trace_raw_events *e)
{
    if (e == NULL)
        return;
    trace_stream_close(&e->stream);
    trace_raw_events_drop_pending(e);
    trace_scan_fini(&e->scan);
    free(e);
}

void trace_raw_events_set_progress(struct trace_raw_events *e, struct trace_progress_callback w)
{
    trace_input_set_progress(e->stream.in, w);
}

const char *trace_raw_events_container(const struct trace_raw_events *e)
{
    return trace_input_container(e->stream.in);
}

unsigned trace_raw_events_version(const struct trace_raw_events *e)
{
    return e->stream.version;
}

unsigned trace_raw_events_semantic_version(const struct trace_raw_events *e)
{
    return e->stream.semantic_version;
}

size_t trace_raw_events_properties(const struct trace_raw_events *e, const struct trace_property **out)
{
    *out = e->stream.properties;
    return e->stream.property_count;
}

struct trace_chunk *trace_raw_events_chunk(const struct trace_raw_events *e, uint64_t *offset)
{
    struct trace_chunk *chunk = e->stream.parser.chunk;
    if (chunk != NULL)
        *offset = e->stream.window_offset + (uint64_t)(chunk->data - e->stream.window);
    return chunk;
}

void trace_raw_events_keep_compressed(struct trace_raw_events *e)
{
    trace_input_keep_compressed(e->stream.in);
}

const uint8_t *trace_raw_events_header(const struct trace_raw_events *e, size_t *size)
{
    *size = e->stream.header_size;
    return e->stream.header;
}

uint64_t trace_raw_events_file_size(const struct trace_raw_events *e)
{
    return trace_input_file_size(e->stream.in);
}

uint64_t trace_raw_events_offset(const struct trace_raw_events *e)
{
    return trace_stream_offset(&e->stream);
}
