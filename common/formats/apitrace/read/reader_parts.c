/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/reader_parts.h"

#include "formats/apitrace/read/reader_state.h"

#include <stdlib.h>

#define MAX_OPEN 32 /* calls that overlap inside a part */

struct open_call {
    const uint8_t *at; /* behind the tag of the enter event */
    uint64_t number;
    const struct trace_function_sig *sig;
};

/* The search for the end of a part. */
struct cut {
    struct trace_scan *scan;
    uint64_t next_number;
    uint64_t frames;
    uint64_t frame_calls;
    struct open_call open[MAX_OPEN]; /* entered behind the start and not left yet */
    unsigned open_count;
};

/* --- one event: as the functions of event_scan.h; NULL also when it cannot be in a part --------------- */

static const uint8_t *cut_enter(struct cut *c, const uint8_t *p)
{
    const struct trace_function_sig *sig = NULL;
    const uint8_t *at = p;
    uint64_t thread = 0;
    if (c->scan->s->version >= 4)
        p = trace_scan_uint(c->scan, p, &thread);
    if (p == NULL || thread > UINT32_MAX || c->open_count == MAX_OPEN)
        return NULL;
    p = trace_scan_function(c->scan, p, &sig);
    if (p != NULL)
        p = trace_scan_details_of(c->scan, p, sig, false);
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
        return NULL; /* entered before the part */
    const struct trace_function_sig *sig = c->open[i - 1].sig;
    p = trace_scan_details_of(c->scan, p, sig, true);
    c->open[i - 1] = c->open[--c->open_count];
    count_left(c, sig);
    return p;
}

/* Calls that need no closer look, but not those from number `last` on. */
static const uint8_t *cut_plain(struct cut *c, const uint8_t *p, const uint8_t *until, uint64_t last)
{
    uint64_t first = c->next_number;
    const uint8_t *end = trace_scan_pass_plain(c->scan, p, until, &c->next_number, last);
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

/* --- parts ----------------------------------------------------------------------------------------- */

static bool may_cut(const struct trace_reader *r)
{
    return !r->ended && r->final_rc == 0 && !r->stream.parser.damaged && !r->times.known && !r->jumped &&
           r->look_at == UINT64_MAX && r->first_number == 0 && r->first_offset == 0 && r->first_frame == 0 &&
           trace_stream_offset(&r->stream) >= r->cut_from;
}

/* The reader goes to p, the end of a call. */
static void pass(struct trace_reader *r, const struct cut *c, const uint8_t *p)
{
    trace_signatures_commit(&r->stream.parser.sigs);
    r->stream.parser.p = p;
    r->next_number = c->next_number;
    r->frames = c->frames;
    r->frame_calls = c->frame_calls;
}

/* From where it is worth while to look again when no part was found from start to p: behind the calls that
 * are open for long. If there are none, the next calls overlap all the time. */
static const uint8_t *find_hope(const struct cut *c, const uint8_t *start, const uint8_t *p)
{
    const uint8_t *half = start + (p - start) / 2;
    const uint8_t *newest = start;
    for (unsigned i = 0; i < c->open_count; ++i)
        if (c->open[i].at <= half && c->open[i].at > newest)
            newest = c->open[i].at;
    return newest > start ? newest : p + 1;
}

/* Passes over as many calls as make a part, but not those from number `last` on. */
static void cut_part(struct trace_reader *r, uint64_t last)
{
    struct trace_parser *s = &r->stream.parser;
    const uint8_t *start = s->p;
    const uint8_t *passed = start;
    const uint8_t *p = start;
    struct cut c = {.scan = &r->cut_scan,
                    .next_number = r->next_number,
                    .frames = r->frames,
                    .frame_calls = r->frame_calls};
    r->cut_scan.s = s;
    while (p < s->end && (size_t)(passed - start) < TRACE_PART_BYTES &&
           (size_t)(p - start) < 2 * TRACE_PART_BYTES && r->next_number < last) {
        const uint8_t *next = c.open_count == 0 ? cut_plain(&c, p, start + TRACE_PART_BYTES, last) : p;
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
        r->cut_from = trace_stream_offset(&r->stream) + (uint64_t)(find_hope(&c, start, p) - start);
}

int trace_reader_next_part(struct trace_reader *r, struct trace_part *part, const struct trace_call **call)
{
    const struct trace_parser *s = &r->stream.parser;
    *call = NULL;
    *part = (struct trace_part){.start = s->p,
                                .offset = trace_stream_offset(&r->stream),
                                .next_number = r->next_number,
                                .frames = r->frames,
                                .definitions = s->sigs.committed};
    if (may_cut(r))
        cut_part(r, UINT64_MAX);
    if (s->p == part->start)
        return trace_reader_next_call(r, call);
    part->end = s->p;
    part->chunk = trace_chunk_ref(s->chunk);
    return 0;
}

uint64_t trace_reader_pass_calls(struct trace_reader *r, uint64_t max)
{
    uint64_t first = r->next_number;
    uint64_t before;
    do {
        before = r->next_number;
        if (may_cut(r))
            cut_part(r, first + max);
    } while (r->next_number > before && r->next_number - first < max);
    return r->next_number - first;
}

/* --- branches -------------------------------------------------------------------------------------- */

int trace_reader_open_branch(struct trace_reader **out, const struct trace_reader *r)
{
    struct trace_reader *branch = calloc(1, sizeof *branch);
    if (branch == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    branch->look_at = UINT64_MAX;
    branch->resumes = r->resumes;
    trace_stream_open_branch(&branch->stream, &r->stream);
    *out = branch;
    return 0;
}

/* glGetError, if it is known before the part. */
static void find_get_error(struct trace_parser *s, const struct trace_parser *of)
{
    const struct trace_function_sig *sig =
        of->get_error == NULL ? NULL : trace_signatures_find(&s->sigs, TRACE_SIG_FUNCTION, of->get_error->id);
    if (sig != NULL)
        s->get_error = sig;
}

int trace_reader_begin_part(struct trace_reader *branch, const struct trace_reader *r,
                            struct trace_part *part)
{
    struct trace_stream *st = &branch->stream;
    trace_reader_drop_pending(branch);
    trace_stream_set_window(st, part->chunk, part->offset);
    st->window = st->parser.p = part->start;
    st->parser.end = part->end;
    part->chunk = NULL;
    branch->next_number = part->next_number;
    branch->frames = part->frames;
    branch->ended = false;
    int rc = trace_signatures_learn(&st->parser.sigs, &r->stream.parser.sigs, part->definitions);
    find_get_error(&st->parser, &r->stream.parser);
    return rc;
}
