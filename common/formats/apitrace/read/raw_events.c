/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/raw_events_state.h"

#include "formats/apitrace/parse/parser_lost.h"
#include "formats/apitrace/scan/reparse_event.h"
#include "trace/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGS 256 /* for a leave event without a pending call; as in reader.c */

/* --- events ---------------------------------------------------------------------------------------- */

static void set_call(struct trace_raw_event *event, const struct trace_pending_call *call)
{
    event->call = call->number;
    event->sig = call->sig;
    event->thread = call->thread;
}

static const uint8_t *scan_enter(struct trace_raw_events *e, const uint8_t *p)
{
    struct trace_scan *sc = &e->scan;
    const struct trace_function_sig *sig;
    uint32_t thread;
    p = trace_scan_enter_head(sc, p, &thread, &sig);
    if (p != NULL)
        p = trace_scan_details_of(sc, p, sig, false);
    if (p == NULL)
        return NULL;
    sc->rc = trace_pending_calls_enter(&e->pending, e->cursor.next_number, sig, thread);
    if (sc->rc != 0)
        return NULL;
    e->event.sig = sig;
    e->event.call = e->cursor.next_number++;
    e->event.thread = thread;
    return p;
}

static const uint8_t *scan_leave(struct trace_raw_events *e, const uint8_t *p)
{
    struct trace_scan *sc = &e->scan;
    uint64_t number;
    const uint8_t *details = trace_scan_uint(sc, p, &number);
    if (details == NULL)
        return NULL;
    struct trace_pending_call call = trace_pending_calls_find(&e->pending, number);
    set_call(&e->event, &call);
    const struct trace_function_sig *sig = e->event.sig;
    const uint8_t *end = details + 1;
    if (details == sc->s->end || *details != TRACE_DETAIL_END) /* few calls have a return value */
        end = sig != NULL ? trace_scan_details_of(sc, details, sig, true)
                          : trace_scan_details(sc, details, MAX_ARGS);
    if (end == NULL)
        return NULL;
    trace_pending_calls_remove(&e->pending, number);
    e->event.number_size = (size_t)(details - p);
    return end;
}

/* Scans an event at p. On failure, returns NULL and sets scan.rc as the scan's functions do. */
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

/* Does the same, but passes what the scan rejects to the parser. */
static const uint8_t *scan_and_check(struct trace_raw_events *e, const uint8_t *p)
{
    const uint8_t *end = scan_event(e, p);
    if (end != NULL || e->scan.rc != TRACE_ERR_FORMAT)
        return end;
    e->scan.rc = trace_reparse_event(&e->cursor.stream.parser, p, e->cursor.next_number, e->event.sig);
    if (e->scan.rc != 0)
        return NULL;
    trace_signatures_rollback(&e->cursor.stream.parser.sigs);
    e->scan.checked = true; /* the parser packs arrays, and so accepts more elements */
    end = scan_event(e, p);
    e->scan.checked = false;
    return end;
}

static int resume(struct trace_raw_events *e, const uint8_t *from)
{
    bool found;
    struct trace_kept_error why;
    trace_error_keep(&why, TRACE_ERR_FORMAT);
    int rc = trace_raw_events_leave_window(e);
    if (rc != 0)
        return trace_cursor_fail(&e->cursor, rc);
    trace_error_restore(&why);
    e->is_damaged = true;
    rc = trace_cursor_resync(&e->cursor, from, &found);
    e->scan.noting = true;
    e->cursor.ended = !found;
    return rc == TRACE_ERR_DAMAGED ? rc : trace_cursor_fail(&e->cursor, rc);
}

/* The window ends inside an event, or between two events. */
static int extend(struct trace_raw_events *e, const uint8_t *event)
{
    bool more;
    int rc = trace_raw_events_leave_window(e);
    if (rc != 0)
        return trace_cursor_fail(&e->cursor, rc);
    rc = trace_cursor_extend(&e->cursor, event, &more);
    if (rc == 0 && more)
        return 0;
    e->cursor.ended = rc == 0 || rc == TRACE_ERR_TRUNCATED;
    if (rc == TRACE_ERR_FORMAT && e->cursor.resumes)
        return resume(e, e->cursor.stream.parser.end);
    return e->cursor.ended ? rc : trace_cursor_fail(&e->cursor, rc);
}

static void hide_lost_function(struct trace_raw_event *event)
{
    if (event->sig != NULL && trace_function_is_lost(event->sig))
        event->sig = NULL;
}

/* Returns the time of the event that was just found. */
static int64_t next_time(struct trace_raw_events *e)
{
    if (!e->cursor.times.known)
        return TRACE_NO_TIME;
    return trace_event_times_next(&e->cursor.times, trace_cursor_index(&e->cursor), e->event.offset);
}

int trace_raw_events_next(struct trace_raw_events *e, const struct trace_raw_event **out)
{
    *out = NULL;
    if (e->cursor.final.code != 0)
        return trace_cursor_repeat_error(&e->cursor);
    while (!e->cursor.ended) {
        int rc;
        if (trace_cursor_may_jump(&e->cursor) && (rc = trace_raw_events_jump(e)) != 0)
            return rc == TRACE_ERR_DAMAGED ? rc : trace_cursor_fail(&e->cursor, rc);
        const uint8_t *p = e->cursor.stream.parser.p;
        const uint8_t *end = scan_and_check(e, p);
        if (end != NULL) {
            trace_signatures_commit(&e->cursor.stream.parser.sigs);
            if (e->cursor.stream.parser.damaged)
                hide_lost_function(&e->event);
            e->event.bytes = p;
            e->event.size = (size_t)(end - p);
            e->event.offset = e->cursor.stream.window_offset + (uint64_t)(p - e->cursor.stream.window);
            e->event.time = next_time(e);
            e->event.blob_bytes = e->scan.blob_bytes;
            e->event.marks = e->scan.marks;
            e->event.mark_count = e->scan.mark_count;
            e->event.definitions = e->scan.definitions;
            e->event.definition_count = e->scan.definition_count;
            e->cursor.stream.parser.p = end;
            if (e->event.offset < e->cursor.first_offset)
                continue;
            *out = &e->event;
            return 0;
        }
        rc = e->scan.rc;
        if (rc != TRACE_PARSE_MORE) {
            rc = trace_stream_prefix_place(&e->cursor.stream, rc);
            return rc == TRACE_ERR_FORMAT && e->cursor.resumes ? resume(e, p + 1)
                                                               : trace_cursor_fail(&e->cursor, rc);
        }
        rc = extend(e, p);
        if (rc != 0)
            return rc;
    }
    return 0;
}

static bool may_pass_known(const struct trace_raw_events *e)
{
    return !e->cursor.times.known && e->cursor.next_number < e->cursor.jump_at && e->cursor.final.code == 0 &&
           trace_stream_offset(&e->cursor.stream) >= e->cursor.first_offset;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t trace_raw_events_pass_known(struct trace_raw_events *e, uint64_t until, uint64_t *first)
{
    struct trace_parser *s = &e->cursor.stream.parser;
    *first = e->cursor.next_number;
    if (may_pass_known(e))
        s->p = trace_scan_pass_known(&e->scan, s->p, s->end, &e->cursor.next_number,
                                     least(until, e->cursor.jump_at));
    return e->cursor.next_number - *first;
}

/* Returns a position such that every known call that begins before it ends before the stream offset. */
static const uint8_t *place_of_calls_before(const struct trace_stream *st, uint64_t offset)
{
    uint64_t here = trace_stream_offset(st), rest = (uint64_t)(st->parser.end - st->parser.p);
    uint64_t most = offset > TRACE_KNOWN_CALL_ROOM ? offset - TRACE_KNOWN_CALL_ROOM : 0;
    return st->parser.p + (most > here ? least(most - here, rest) : 0);
}

uint64_t trace_raw_events_pass_known_before(struct trace_raw_events *e, uint64_t offset, uint64_t *first)
{
    struct trace_parser *s = &e->cursor.stream.parser;
    *first = e->cursor.next_number;
    if (may_pass_known(e))
        s->p = trace_scan_pass_known(&e->scan, s->p, place_of_calls_before(&e->cursor.stream, offset),
                                     &e->cursor.next_number, e->cursor.jump_at);
    return e->cursor.next_number - *first;
}

uint64_t trace_raw_events_copy_known(struct trace_raw_events *e, uint64_t until, uint64_t as, struct buf *out)
{
    struct trace_parser *s = &e->cursor.stream.parser;
    uint64_t first = e->cursor.next_number;
    if (may_pass_known(e))
        s->p = trace_scan_copy_known(&e->scan, s->p, &e->cursor.next_number, least(until, e->cursor.jump_at),
                                     &as, out);
    return e->cursor.next_number - first;
}

void trace_raw_events_forget_known(struct trace_raw_events *e)
{
    trace_shapes_fini(&e->scan.shapes);
    e->scan.learns = true;
}

size_t trace_raw_events_list_known(struct trace_raw_events *e, struct trace_known_call *calls, size_t max,
                                   uint64_t *first)
{
    struct trace_parser *s = &e->cursor.stream.parser;
    *first = e->cursor.next_number;
    if (may_pass_known(e))
        s->p = trace_scan_list_known(&e->scan, s->p, &e->cursor.next_number, calls,
                                     least(max, e->cursor.jump_at - e->cursor.next_number));
    return (size_t)(e->cursor.next_number - *first);
}

void trace_raw_events_resume_after_damage(struct trace_raw_events *e)
{
    trace_cursor_resume_after_damage(&e->cursor);
}

uint64_t trace_raw_events_next_number(const struct trace_raw_events *e)
{
    return e->cursor.next_number;
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

bool trace_raw_events_next_incomplete(struct trace_raw_events *e, struct trace_raw_event *out)
{
    struct trace_pending_call call;
    out->sig = NULL;
    while (out->sig == NULL && trace_pending_calls_next(&e->pending, &call)) {
        *out = (struct trace_raw_event){.tag = TRACE_RAW_EVENT_ENTER,
                                        .offset = trace_stream_offset(&e->cursor.stream)};
        set_call(out, &call);
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
    e->scan.s = &e->cursor.stream.parser;
    e->scan.noting = marks;
    int rc = trace_cursor_open(&e->cursor, probe);
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
    trace_stream_close(&e->cursor.stream);
    trace_pending_calls_fini(&e->pending);
    trace_scan_fini(&e->scan);
    free(e);
}

void trace_raw_events_set_progress(struct trace_raw_events *e, struct trace_progress_callback w)
{
    trace_input_set_progress(e->cursor.stream.in, w);
}

const char *trace_raw_events_container(const struct trace_raw_events *e)
{
    return trace_input_container(e->cursor.stream.in);
}

unsigned trace_raw_events_version(const struct trace_raw_events *e)
{
    return e->cursor.stream.version;
}

unsigned trace_raw_events_semantic_version(const struct trace_raw_events *e)
{
    return e->cursor.stream.semantic_version;
}

size_t trace_raw_events_properties(const struct trace_raw_events *e, const struct trace_property **out)
{
    *out = e->cursor.stream.properties;
    return e->cursor.stream.property_count;
}

struct trace_chunk *trace_raw_events_chunk(const struct trace_raw_events *e, uint64_t *offset)
{
    struct trace_chunk *chunk = e->cursor.stream.parser.chunk;
    if (chunk != NULL)
        *offset = e->cursor.stream.window_offset + (uint64_t)(chunk->data - e->cursor.stream.window);
    return chunk;
}

void trace_raw_events_keep_compressed(struct trace_raw_events *e)
{
    trace_input_keep_compressed(e->cursor.stream.in);
}

const uint8_t *trace_raw_events_header(const struct trace_raw_events *e, size_t *size)
{
    *size = e->cursor.stream.header_size;
    return e->cursor.stream.header;
}

uint64_t trace_raw_events_file_size(const struct trace_raw_events *e)
{
    return trace_input_file_size(e->cursor.stream.in);
}

uint64_t trace_raw_events_offset(const struct trace_raw_events *e)
{
    return trace_stream_offset(&e->cursor.stream);
}
