/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/reader_batches.h"

#include "formats/apitrace/read/reader_state.h"

#include <stdlib.h>

#define MAX_OPEN 32 /* highest number of calls that overlap inside a batch */

struct open_call {
    const uint8_t *at; /* after the tag of the enter event */
    uint64_t number;
    const struct trace_function_sig *sig;
};

/* The search for the end of a batch. */
struct cut {
    struct trace_scan *scan;
    uint64_t next_number;
    uint64_t frames;
    uint64_t frame_calls;
    struct open_call open[MAX_OPEN]; /* calls that were entered after the start and have not returned */
    unsigned open_count;
};

/* --- one event: as the functions of event_scan.h; NULL also when it cannot be in a batch --------------- */

static const uint8_t *cut_enter(struct cut *c, const uint8_t *p)
{
    const struct trace_function_sig *sig;
    const uint8_t *at = p;
    uint32_t thread;
    p = trace_scan_enter_head(c->scan, p, &thread, &sig);
    if (p != NULL && c->open_count < MAX_OPEN)
        p = trace_scan_details_of(c->scan, p, sig, false);
    if (p == NULL || c->open_count == MAX_OPEN)
        return NULL;
    c->open[c->open_count++] = (struct open_call){at, c->next_number++, sig};
    return p;
}

static void count_left(struct cut *c, const struct trace_function_sig *sig)
{
    bool ends_frame = (sig->flags & TRACE_CALL_END_FRAME) != 0;
    c->frames += ends_frame;
    c->frame_calls = ends_frame ? 0 : c->frame_calls + 1;
}

static const uint8_t *cut_leave(struct cut *c, const uint8_t *p)
{
    uint64_t number;
    p = trace_scan_uint(c->scan, p, &number);
    if (p == NULL)
        return NULL;
    unsigned i = c->open_count;
    while (i > 0 && c->open[i - 1].number != number)
        --i;
    if (i == 0)
        return NULL; /* the call was entered before the batch */
    const struct trace_function_sig *sig = c->open[i - 1].sig;
    p = trace_scan_details_of(c->scan, p, sig, true);
    c->open[i - 1] = c->open[--c->open_count];
    count_left(c, sig);
    return p;
}

/* Skips calls of known shapes, but not those from number `last` on. */
static const uint8_t *cut_known(struct cut *c, const uint8_t *p, const uint8_t *until, uint64_t last)
{
    uint64_t first = c->next_number;
    const uint8_t *end = trace_scan_pass_known(c->scan, p, until, &c->next_number, last);
    c->frame_calls += c->next_number - first;
    return end;
}

static const uint8_t *cut_event(struct cut *c, const uint8_t *p)
{
    switch (*p) {
    case TRACE_RAW_EVENT_ENTER:
        return cut_enter(c, p + 1);
    case TRACE_RAW_EVENT_LEAVE:
        return cut_leave(c, p + 1);
    default:
        return NULL;
    }
}

/* --- batches ----------------------------------------------------------------------------------------- */

static bool may_cut(const struct trace_reader *r)
{
    return !r->cursor.ended && r->cursor.final.code == 0 && !r->cursor.stream.parser.damaged &&
           !r->cursor.times.known && !r->jumped && r->cursor.jump_at == UINT64_MAX && r->first_number == 0 &&
           r->cursor.first_offset == 0 && r->first_frame == 0 &&
           trace_stream_offset(&r->cursor.stream) >= r->cut_from;
}

/* Moves the reader to p, the end of a call. */
static void pass(struct trace_reader *r, const struct cut *c, const uint8_t *p)
{
    trace_signatures_commit(&r->cursor.stream.parser.sigs);
    r->cursor.stream.parser.p = p;
    r->cursor.next_number = c->next_number;
    r->frames = c->frames;
    r->frame_calls = c->frame_calls;
}

/* Returns the position from which to search again when no batch was found from start to p: after the calls
 * that are open for long. If there are none, the next calls overlap all the time. */
static const uint8_t *find_next_try(const struct cut *c, const uint8_t *start, const uint8_t *p)
{
    const uint8_t *half = start + (p - start) / 2;
    const uint8_t *newest = start;
    for (unsigned i = 0; i < c->open_count; ++i)
        if (c->open[i].at <= half && c->open[i].at > newest)
            newest = c->open[i].at;
    return newest > start ? newest : p + 1;
}

/* Skips as many calls as make a batch, but not those from number `last` on. */
static void cut_batch(struct trace_reader *r, uint64_t last)
{
    struct trace_parser *s = &r->cursor.stream.parser;
    const uint8_t *start = s->p;
    const uint8_t *passed = start;
    const uint8_t *p = start;
    struct cut c = {.scan = &r->cut_scan,
                    .next_number = r->cursor.next_number,
                    .frames = r->frames,
                    .frame_calls = r->frame_calls};
    r->cut_scan.s = s;
    /* A clone would parse the definition again. That of GLenum has 3,522 names. */
    r->cut_scan.leaves_enums = true;
    while (p < s->end && (size_t)(passed - start) < TRACE_BATCH_BYTES &&
           (size_t)(p - start) < 2 * TRACE_BATCH_BYTES && r->cursor.next_number < last) {
        const uint8_t *next = c.open_count == 0 ? cut_known(&c, p, start + TRACE_BATCH_BYTES, last) : p;
        if (next == p)
            next = cut_event(&c, p);
        if (next == NULL || c.next_number > last)
            break;
        p = next;
        if (c.open_count == 0)
            pass(r, &c, passed = p);
    }
    trace_signatures_rollback(&s->sigs);
    s->p = passed;
    if (passed == start)
        r->cut_from =
            trace_stream_offset(&r->cursor.stream) + (uint64_t)(find_next_try(&c, start, p) - start);
}

int trace_reader_next_batch(struct trace_reader *r, struct trace_batch *batch, const struct trace_call **call)
{
    const struct trace_parser *s = &r->cursor.stream.parser;
    *call = NULL;
    *batch = (struct trace_batch){.start = s->p,
                                  .offset = trace_stream_offset(&r->cursor.stream),
                                  .next_number = r->cursor.next_number,
                                  .frames = r->frames,
                                  .definitions = s->sigs.committed};
    if (may_cut(r))
        cut_batch(r, UINT64_MAX);
    if (s->p == batch->start)
        return trace_reader_next_call(r, call);
    batch->end = s->p;
    batch->chunk = trace_chunk_ref(s->chunk);
    return 0;
}

uint64_t trace_reader_pass_calls(struct trace_reader *r, uint64_t max)
{
    uint64_t first = r->cursor.next_number;
    uint64_t before;
    do {
        before = r->cursor.next_number;
        if (may_cut(r))
            cut_batch(r, first + max);
    } while (r->cursor.next_number > before && r->cursor.next_number - first < max);
    return r->cursor.next_number - first;
}

/* --- clones -------------------------------------------------------------------------------------- */

int trace_reader_clone(struct trace_reader **out, const struct trace_reader *r)
{
    struct trace_reader *clone = calloc(1, sizeof *clone);
    if (clone == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    clone->cursor.jump_at = UINT64_MAX;
    clone->cursor.resumes = r->cursor.resumes;
    trace_stream_clone(&clone->cursor.stream, &r->cursor.stream);
    *out = clone;
    return 0;
}

int trace_reader_begin_batch(struct trace_reader *clone, const struct trace_reader *r,
                             struct trace_batch *batch)
{
    struct trace_stream *st = &clone->cursor.stream;
    trace_pending_records_drop(&clone->pending, &clone->records);
    trace_stream_set_window(st, batch->chunk, batch->offset);
    st->window = st->parser.p = batch->start;
    st->parser.end = batch->end;
    batch->chunk = NULL;
    clone->cursor.next_number = batch->next_number;
    clone->frames = batch->frames;
    clone->cursor.ended = false;
    return trace_signatures_learn(&st->parser.sigs, &r->cursor.stream.parser.sigs, batch->definitions);
}
