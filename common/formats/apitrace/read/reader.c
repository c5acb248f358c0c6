/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/parse/parser.h"
#include "formats/apitrace/parse/parser_lost.h"
#include "formats/apitrace/read/reader_probed.h"
#include "formats/apitrace/read/reader_state.h"

#include <stdlib.h>

/* --- events ---------------------------------------------------------------------------------------- */

static int enter_call(struct trace_reader *r)
{
    struct trace_call_record *rec = trace_record_pool_take(&r->records);
    if (rec == NULL)
        return TRACE_ERR_MEMORY;
    rec->call.number = r->cursor.next_number;
    int rc = trace_parse_enter(&r->cursor.stream.parser, rec);
    if (rc == 0)
        rc = trace_pending_records_enter(&r->pending, rec);
    if (rc != 0) {
        trace_record_pool_give(&r->records, rec);
        return rc;
    }
    r->cursor.next_number++;
    return 0;
}

/* Parses the details of a leave event without a pending call, to find its end. */
static int skip_leave(struct trace_reader *r, uint64_t number)
{
    static const struct trace_function_sig unknown = {.name = "?"};
    static const uint32_t max_args = 256;
    struct trace_call_record *rec = trace_record_pool_take(&r->records);
    if (rec == NULL)
        return TRACE_ERR_MEMORY;
    rec->args = arena_alloc(&rec->arena, max_args * sizeof *rec->args);
    rec->call = (struct trace_call){.number = number, .sig = &unknown, .arg_count = max_args};
    int rc = rec->args == NULL ? TRACE_ERR_MEMORY : trace_parse_leave(&r->cursor.stream.parser, rec);
    trace_record_pool_give(&r->records, rec);
    r->left_unknown = r->jumped && rc == 0;
    r->left_number = number;
    return rc;
}

static int leave_call(struct trace_reader *r, const struct trace_call **out)
{
    uint64_t number;
    int rc = trace_parse_uint(&r->cursor.stream.parser, &number);
    if (rc != 0)
        return rc;
    struct trace_call_record *rec = trace_pending_records_find(&r->pending, number);
    if (rec == NULL)
        return skip_leave(r, number);
    rc = trace_parse_leave(&r->cursor.stream.parser, rec);
    if (rc != 0)
        return rc;
    trace_pending_records_remove(&r->pending, rec);
    *out = &rec->call;
    return 0;
}

/* Parses an event. *out is the call that it completes, or NULL. */
static int parse_event(struct trace_reader *r, const struct trace_call **out)
{
    uint8_t tag;
    *out = NULL;
    int rc = trace_parse_byte(&r->cursor.stream.parser, &tag);
    if (rc != 0)
        return rc;
    switch (tag) {
    case TRACE_RAW_EVENT_ENTER:
        return enter_call(r);
    case TRACE_RAW_EVENT_LEAVE:
        return leave_call(r, out);
    default:
        r->cursor.stream.parser.p--;
        return trace_error_set(TRACE_ERR_FORMAT, "unknown event 0x%02x", tag);
    }
}

/* --- the end --------------------------------------------------------------------------------------- */

/* At the end of the stream, only the pending calls remain. */
static int collect_rest(struct trace_reader *r)
{
    r->cursor.ended = true;
    return trace_pending_records_end(&r->pending);
}

/* The window ends inside an event, or between two events. */
static int continue_event(struct trace_reader *r, const uint8_t *event)
{
    bool more;
    int rc = trace_cursor_extend(&r->cursor, event, &more);
    if ((rc != 0 && rc != TRACE_ERR_TRUNCATED) || (rc == 0 && more))
        return rc;
    struct trace_kept_error end;
    trace_error_keep(&end, rc);
    int collected = collect_rest(r);
    return collected != 0 ? collected : trace_error_restore(&end);
}

/* --- damage ---------------------------------------------------------------------------------------- */

void trace_reader_resume_after_damage(struct trace_reader *r)
{
    trace_cursor_resume_after_damage(&r->cursor);
}

static int resume(struct trace_reader *r, const uint8_t *from)
{
    bool found;
    int rc = trace_cursor_resync(&r->cursor, from, &found);
    if (rc == TRACE_ERR_DAMAGED && found)
        trace_reader_count_lost(r);
    int end_rc = rc == TRACE_ERR_DAMAGED && !found ? collect_rest(r) : 0;
    rc = end_rc != 0 ? end_rc : rc;
    return rc == TRACE_ERR_DAMAGED ? rc : trace_cursor_fail(&r->cursor, rc);
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* Returns true if a call that returned at this stream offset must be returned to the caller. A call whose
 * function name was lost is useless. */
static bool is_wanted(struct trace_reader *r, const struct trace_call *call, uint64_t offset)
{
    bool lost = r->cursor.stream.parser.damaged && trace_function_is_lost(call->sig);
    bool wanted = call->number >= r->first_number && offset >= r->cursor.first_offset &&
                  r->frames >= r->first_frame && !lost;
    bool ends_frame = (call->flags & TRACE_CALL_END_FRAME) != 0;
    r->call_frame = r->frames;
    r->frames += ends_frame;
    r->frame_calls = ends_frame ? 0 : r->frame_calls + 1;
    return wanted;
}

static void note_time(struct trace_reader *r, const uint8_t *event, uint64_t offset,
                      const struct trace_call *left)
{
    int64_t time = trace_event_times_next(&r->cursor.times, trace_cursor_index(&r->cursor), offset);
    if (*event == TRACE_RAW_EVENT_ENTER)
        r->pending.newest->call.enter_time = time;
    else if (left != NULL)
        /* The call is its first member. */
        ((struct trace_call_record *)(uintptr_t)left)->call.leave_time = time;
}

/* An event was parsed. */
static void finish_event(struct trace_reader *r, const uint8_t *event, const struct trace_call **out)
{
    uint64_t offset = r->cursor.stream.window_offset + (uint64_t)(event - r->cursor.stream.window);
    trace_signatures_commit(&r->cursor.stream.parser.sigs);
    if (r->cursor.times.known)
        note_time(r, event, offset, *out);
    if (r->left_unknown) {
        trace_reader_count_unknown(r, r->left_number, offset);
        r->left_unknown = false;
    }
    if (*out != NULL && !is_wanted(r, *out, offset)) {
        trace_call_release(r, *out);
        *out = NULL;
    }
}

static const struct trace_call *next_rest(struct trace_reader *r)
{
    struct trace_call_record *rec;
    while ((rec = trace_pending_records_next_rest(&r->pending)) != NULL) {
        rec->call.flags |= TRACE_CALL_INCOMPLETE;
        if (r->jumped)
            trace_reader_count_passed_rest(r, rec->call.number);
        if (is_wanted(r, &rec->call, UINT64_MAX))
            return &rec->call;
        trace_record_pool_give(&r->records, rec);
    }
    return NULL;
}

/* entered: if not NULL, calls are also returned when they are entered, and *entered tells which it is. */
static int next_call_or_end(struct trace_reader *r, const struct trace_call **out, bool *entered)
{
    *out = NULL;
    trace_record_pool_own(&r->records);
    if (r->cursor.final.code != 0)
        return trace_cursor_repeat_error(&r->cursor);
    while (!r->cursor.ended) {
        int rc;
        if (trace_cursor_may_jump(&r->cursor) && (rc = trace_reader_jump(r)) != 0)
            return rc == TRACE_ERR_DAMAGED ? rc : trace_cursor_fail(&r->cursor, rc);
        const uint8_t *event = r->cursor.stream.parser.p;
        rc = parse_event(r, out);
        if (rc == 0) {
            bool enters = *event == TRACE_RAW_EVENT_ENTER;
            finish_event(r, event, out);
            if (enters && entered != NULL && !trace_function_is_lost(r->pending.newest->call.sig)) {
                *entered = true;
                *out = &r->pending.newest->call;
            }
            if (*out != NULL)
                return 0;
            continue;
        }
        if (rc != TRACE_PARSE_MORE) {
            rc = trace_stream_prefix_place(&r->cursor.stream, rc);
            return rc == TRACE_ERR_FORMAT && r->cursor.resumes ? resume(r, event + 1)
                                                               : trace_cursor_fail(&r->cursor, rc);
        }
        rc = continue_event(r, event);
        if (rc == TRACE_ERR_FORMAT && r->cursor.resumes)
            return resume(r, r->cursor.stream.parser.end);
        if (rc != 0)
            return rc == TRACE_ERR_TRUNCATED ? rc : trace_cursor_fail(&r->cursor, rc);
    }
    *out = entered == NULL ? next_rest(r) : NULL;
    return 0;
}

int trace_reader_next_call(struct trace_reader *r, const struct trace_call **out)
{
    return next_call_or_end(r, out, NULL);
}

int trace_reader_next_end(struct trace_reader *r, const struct trace_call **out, bool *entered)
{
    *entered = false;
    return next_call_or_end(r, out, entered);
}

/* --- where it is ----------------------------------------------------------------------------------- */

uint64_t trace_reader_next_number(const struct trace_reader *r)
{
    return r->cursor.next_number;
}

bool trace_reader_next_pending(const struct trace_reader *r, uint64_t from, uint64_t *out)
{
    return trace_pending_records_least(&r->pending, from, out);
}

uint64_t trace_reader_frame(const struct trace_reader *r)
{
    return r->call_frame;
}

/* --- opening and closing --------------------------------------------------------------------------- */

int trace_reader_open_probed(struct trace_reader **out, struct trace_probe *probe)
{
    struct trace_reader *r = calloc(1, sizeof *r);
    if (r == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    int rc = trace_cursor_open(&r->cursor, probe);
    if (rc != 0) {
        trace_reader_close(r);
        return rc;
    }
    *out = r;
    return 0;
}

int trace_reader_open(struct trace_reader **out, const char *path)
{
    struct trace_probe probe;
    int rc = trace_probe_open(&probe, path);
    if (rc == 0)
        rc = trace_reader_open_probed(out, &probe);
    trace_probe_close(&probe);
    return rc;
}

void trace_reader_read_on(struct trace_reader *r)
{
    trace_input_read_on(r->cursor.stream.in);
}

void trace_reader_close(struct trace_reader *r)
{
    if (r == NULL)
        return;
    trace_pending_records_drop(&r->pending, &r->records);
    trace_record_pool_fini(&r->records);
    trace_scan_fini(&r->cut_scan);
    trace_stream_close(&r->cursor.stream);
    free(r);
}

void trace_call_release(struct trace_reader *r, const struct trace_call *call)
{
    if (call != NULL)
        /* The call is its first member. */
        trace_record_pool_give(&r->records, (struct trace_call_record *)(uintptr_t)call);
}

void trace_reader_set_progress(struct trace_reader *r, struct trace_progress_callback w)
{
    trace_input_set_progress(r->cursor.stream.in, w);
}

const char *trace_reader_container(const struct trace_reader *r)
{
    return trace_input_container(r->cursor.stream.in);
}

unsigned trace_reader_version(const struct trace_reader *r)
{
    return r->cursor.stream.version;
}

unsigned trace_reader_semantic_version(const struct trace_reader *r)
{
    return r->cursor.stream.semantic_version;
}

size_t trace_reader_properties(const struct trace_reader *r, const struct trace_property **out)
{
    *out = r->cursor.stream.properties;
    return r->cursor.stream.property_count;
}
