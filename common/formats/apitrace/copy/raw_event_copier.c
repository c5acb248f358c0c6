/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/copy/raw_event_copier.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/hash_map.h"
#include "base/varint.h"
#include "formats/apitrace/container/chunk.h"
#include "formats/apitrace/encoder.h"
#include "formats/apitrace/index/indexed_sigs.h"

#include <stdlib.h>
#include <string.h>

#define LOST_KIND_SHIFT 32
#define KNOWN_CALL_BYTES                                                                                     \
    (64u << 10)       /* size of a buffer of renumbered calls; at least TRACE_KNOWN_CALL_ROOM */
#define WORTHWHILE 64 /* number of calls to come for which it is worthwhile to learn shapes again */

/* The body of a signature that was left out with its call. */
struct lost_body {
    size_t size;
    uint8_t bytes[];
};

struct trace_copier {
    struct trace_raw_events *events;
    struct trace_output *out;
    uint64_t next_number;
    uint64_t left_out; /* number of calls left out so far */

    /* Calls below this number are all copied and keep their numbers. Only the number of pending ones is
     * tracked. */
    uint64_t same_below;
    size_t same_pending;

    /* The new numbers of other copied calls that have not returned. The newest call is not in the map. */
    bool has_newest;
    uint64_t newest;
    uint64_t newest_number;
    struct int_map numbers;

    struct int_map lost; /* maps kind and id to a struct lost_body */
    struct arena arena;  /* memory of those bodies */

    bool has_shapes;         /* known calls can be skipped */
    bool has_foreign_shapes; /* shapes may be those of calls that were left out with their definitions */
    struct buf known;        /* renumbered calls that have not been written */

    const struct trace_raw_event *event; /* the event that is being copied */
    size_t done;                         /* number of its bytes that have been copied */

    const uint8_t *run; /* bytes of one or several events that are to be written */
    size_t run_size;
    uint64_t run_offset; /* stream offset */

    /* A chunk of which everything so far was copied unchanged. If that holds up to its end, its compressed
     * bytes are written. */
    struct trace_chunk *held; /* NULL: none */
    uint64_t held_offset;
    size_t held_size; /* number of its bytes that are to be written */

    struct trace_copied_times *times; /* NULL: the source has none */
};

/* --- writing --------------------------------------------------------------------------------------- */

/* The chunk will not be copied as a whole: writes its first part. */
static int give_up_held(struct trace_copier *c)
{
    struct trace_chunk *chunk = c->held;
    if (chunk == NULL)
        return 0;
    c->held = NULL;
    int rc = trace_output_write(c->out, chunk->data, c->held_size);
    trace_chunk_unref(chunk);
    return rc;
}

/* Extends the part of the held chunk. *used: number of bytes in it. */
static int extend_held(struct trace_copier *c, size_t size, size_t *used)
{
    size_t rest = c->held->len - c->held_size;
    *used = size < rest ? size : rest;
    c->held_size += *used;
    if (c->held_size < c->held->len)
        return 0;
    struct trace_chunk *chunk = c->held;
    c->held = NULL;
    return trace_output_write_chunk(c->out, chunk);
}

static bool can_be_held(const struct trace_chunk *chunk)
{
    return chunk != NULL && chunk->compressed_for != NULL && chunk->len > 0;
}

/* Holds the chunk; its first `size` bytes need not be written now. */
static void hold(struct trace_copier *c, struct trace_chunk *chunk, uint64_t offset, size_t size)
{
    c->held = trace_chunk_ref(chunk);
    c->held_offset = offset;
    c->held_size = size;
}

/* Writes bytes up to the start of a chunk that can be held, and holds it. */
static int write_until_chunk(struct trace_copier *c, uint64_t offset, const uint8_t *bytes, size_t size,
                             size_t *used)
{
    uint64_t chunk_offset = 0;
    struct trace_chunk *chunk = trace_raw_events_chunk(c->events, &chunk_offset);
    *used = 0;
    if (can_be_held(chunk) && chunk_offset == offset) {
        hold(c, chunk, offset, 0);
        return 0;
    }
    *used = can_be_held(chunk) && offset < chunk_offset && chunk_offset - offset < size
                ? (size_t)(chunk_offset - offset)
                : size;
    return trace_output_write(c->out, bytes, *used);
}

static int write_run(void *context)
{
    struct trace_copier *c = context;
    const uint8_t *bytes = c->run;
    size_t size = c->run_size;
    uint64_t offset = c->run_offset;
    int rc = 0;
    c->run_size = 0;
    while (size > 0 && rc == 0) {
        size_t used = 0;
        if (c->held != NULL && offset == c->held_offset + c->held_size)
            rc = extend_held(c, size, &used);
        else if ((rc = give_up_held(c)) == 0)
            rc = write_until_chunk(c, offset, bytes, size, &used);
        bytes += used;
        offset += used;
        size -= used;
    }
    return rc;
}

static int write_bytes(struct trace_copier *c, const void *bytes, size_t size)
{
    int rc = write_run(c);
    if (rc == 0)
        rc = give_up_held(c);
    return rc != 0 ? rc : trace_output_write(c->out, bytes, size);
}

int trace_copier_flush(struct trace_copier *c)
{
    int rc = write_run(c);
    return rc != 0 ? rc : give_up_held(c);
}

static int keep_body(struct trace_copier *c, uint64_t key, const uint8_t *bytes, size_t size)
{
    struct lost_body *body = arena_alloc(&c->arena, sizeof *body + size);
    if (body == NULL)
        return TRACE_ERR_MEMORY;
    body->size = size;
    memcpy(body->bytes, bytes, size);
    return int_map_set(&c->lost, key, (uint64_t)(uintptr_t)body);
}

/* A trace_raw_events_passed_hook: leaves out what is skipped. */
static int leave_out(void *context, const struct trace_indexed_sig *sig)
{
    struct trace_copier *c = context;
    if (sig == NULL) {
        c->left_out++;
        return 0;
    }
    return keep_body(c, (uint64_t)sig->kind << LOST_KIND_SHIFT | sig->id, sig->body, sig->size);
}

int trace_copier_open(struct trace_copier **out, struct trace_raw_events *e, struct trace_output *o)
{
    struct trace_copier *c = calloc(1, sizeof *c);
    if (c == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    c->events = e;
    c->out = o;
    arena_init(&c->arena);
    trace_raw_events_before_move(e, write_run, c);
    trace_raw_events_on_passing(e, leave_out, c);
    trace_raw_events_keep_compressed(e);
    *out = c;
    return 0;
}

void trace_copier_close(struct trace_copier *c)
{
    if (c == NULL)
        return;
    trace_chunk_unref(c->held);
    trace_copied_times_close(c->times);
    int_map_fini(&c->numbers);
    int_map_fini(&c->lost);
    buf_fini(&c->known);
    arena_fini(&c->arena);
    free(c);
}

int trace_copier_keep_times(struct trace_copier *c)
{
    bool known;
    int rc = trace_raw_events_want_times(c->events, &known);
    return rc == 0 && known ? trace_copied_times_open(&c->times) : rc;
}

struct trace_copied_times *trace_copier_times(const struct trace_copier *c)
{
    return c->times;
}

static int note_time(struct trace_copier *c, const struct trace_raw_event *event)
{
    return c->times != NULL ? trace_copied_times_add(c->times, event->time) : 0;
}

size_t trace_copier_pending(const struct trace_copier *c)
{
    return c->same_pending + c->numbers.len + c->has_newest;
}

/* --- the header ------------------------------------------------------------------------------------ */

int trace_copier_header(struct trace_copier *c)
{
    size_t size;
    uint64_t offset;
    const uint8_t *header = trace_raw_events_header(c->events, &size);
    struct trace_chunk *chunk = trace_raw_events_chunk(c->events, &offset);
    if (!can_be_held(chunk) || offset > 0 || size >= chunk->len)
        return trace_output_write(c->out, header, size);
    hold(c, chunk, 0, size);
    return 0;
}

int trace_copier_header_with(struct trace_copier *c, const struct trace_property *properties, size_t count)
{
    if (trace_raw_events_version(c->events) < 4)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "a trace of format version %u cannot have properties",
                               trace_raw_events_version(c->events));
    struct buf header = BUF_INIT;
    struct trace_encoder encoder;
    trace_encoder_init(&encoder, &header);
    trace_encode_header(&encoder, trace_raw_events_semantic_version(c->events), properties, count);
    int rc = encoder.failed ? trace_error_set(TRACE_ERR_MEMORY, "out of memory")
                            : trace_output_write(c->out, header.data, header.len);
    trace_encoder_fini(&encoder);
    buf_fini(&header);
    return rc;
}

/* --- signatures ------------------------------------------------------------------------------------ */

static bool is_sig(const struct trace_mark *mark)
{
    return mark->kind <= TRACE_MARK_FRAME;
}

static uint64_t lost_key(const struct trace_mark *mark)
{
    return (uint64_t)mark->kind << LOST_KIND_SHIFT | mark->id;
}

/* Replaces a body that was lost to damage: a table without names, or a frame without details. */
static const uint8_t empty_body[] = {0};

/* The event is left out: keeps the definitions in it, including those that were lost. */
static int keep_bodies(struct trace_copier *c, const struct trace_raw_event *event)
{
    c->has_foreign_shapes = true;
    for (size_t i = 0; i < event->mark_count; ++i) {
        const struct trace_mark *mark = &event->marks[i];
        if (!is_sig(mark) || (mark->size == 0 && !mark->lost))
            continue;
        int rc = mark->lost ? keep_body(c, lost_key(mark), empty_body, sizeof empty_body)
                            : keep_body(c, lost_key(mark), event->bytes + mark->at, mark->size);
        if (rc != 0)
            return rc;
    }
    return 0;
}

/* --- copying --------------------------------------------------------------------------------------- */

static int copy_until(struct trace_copier *c, size_t at)
{
    size_t from = c->done;
    int rc = 0;
    c->done = at;
    if (c->run_size == 0 || c->run + c->run_size != c->event->bytes + from) {
        rc = write_run(c);
        c->run = c->event->bytes + from;
        c->run_offset = c->event->offset + from;
    }
    c->run_size += at - from;
    return rc;
}

static int apply_edit(struct trace_copier *c, const struct trace_edit *edit)
{
    int rc = copy_until(c, edit->at);
    c->done += edit->size;
    return rc != 0 ? rc : write_bytes(c, edit->bytes, edit->count);
}

static int insert_body(struct trace_copier *c, const struct trace_mark *mark)
{
    uint64_t pointer;
    if (!is_sig(mark))
        return 0;
    if (mark->lost)
        return apply_edit(c, &(struct trace_edit){mark->at, 0, empty_body, sizeof empty_body});
    if (!int_map_get(&c->lost, lost_key(mark), &pointer))
        return 0;
    const struct lost_body *body = (const struct lost_body *)(uintptr_t)pointer;
    struct trace_edit edit = {mark->at, 0, body->bytes, body->size};
    int_map_remove(&c->lost, lost_key(mark));
    return apply_edit(c, &edit);
}

/* Copies the event with the edits, and inserts the definitions that it needs, in the order of their
 * positions. */
static int copy_event(struct trace_copier *c, const struct trace_edit *edits, size_t count)
{
    const struct trace_raw_event *event = c->event;
    bool some = c->lost.len > 0 || trace_raw_events_is_damaged(c->events);
    size_t marks = some ? event->mark_count : 0;
    size_t next = 0;
    int rc = 0;
    for (size_t i = 0; i < marks && rc == 0; ++i) {
        while (rc == 0 && next < count && edits[next].at < event->marks[i].at)
            rc = apply_edit(c, &edits[next++]);
        if (rc == 0)
            rc = insert_body(c, &event->marks[i]);
    }
    while (rc == 0 && next < count)
        rc = apply_edit(c, &edits[next++]);
    if (rc == 0)
        rc = note_time(c, event);
    return rc != 0 ? rc : copy_until(c, event->size);
}

static int copy_enter(struct trace_copier *c, const struct trace_edit *edits, size_t count)
{
    if (c->event->call == c->same_below && c->next_number == c->same_below) {
        c->same_below = ++c->next_number;
        c->same_pending++;
        return copy_event(c, edits, count);
    }
    if (c->has_newest) {
        int rc = int_map_set(&c->numbers, c->newest, c->newest_number);
        if (rc != 0)
            return rc;
    }
    c->has_newest = true;
    c->newest = c->event->call;
    c->newest_number = c->next_number++;
    return copy_event(c, edits, count);
}

/* Removes and returns the new number of a call that returns. */
static bool take_number(struct trace_copier *c, uint64_t call, uint64_t *number)
{
    if (call < c->same_below) {
        bool pending = c->event->sig != NULL;
        c->same_pending -= pending;
        *number = call;
        return pending;
    }
    if (c->has_newest && c->newest == call) {
        *number = c->newest_number;
        c->has_newest = false;
        return true;
    }
    if (!int_map_get(&c->numbers, call, number))
        return false;
    int_map_remove(&c->numbers, call);
    return true;
}

static int copy_leave(struct trace_copier *c, const struct trace_edit *edits, size_t count)
{
    const struct trace_raw_event *event = c->event;
    uint64_t number;
    /* A leave event without an enter event has no meaning. As long as nothing was left out, it is copied like
     * the others. */
    bool stray = event->sig == NULL && c->left_out == 0 && !trace_raw_events_is_damaged(c->events);
    if (!stray && !take_number(c, event->call, &number))
        return keep_bodies(c, event);
    if (!stray && number != event->call) {
        uint8_t bytes[VARINT_MAX_BYTES];
        struct trace_edit edit = {1, event->number_size, bytes, varint_put(bytes, number)};
        int rc = apply_edit(c, &edit);
        if (rc != 0)
            return rc;
    }
    return copy_event(c, edits, count);
}

/* The fast path, which most copies use for most events: the whole event is copied unchanged, and its call
 * keeps its number. Returns false if this does not apply. */
static bool extend_run(struct trace_copier *c, const struct trace_raw_event *event, bool keep)
{
    if (c->run_size == 0 || c->run + c->run_size != event->bytes || event->sig == NULL || c->lost.len > 0 ||
        trace_raw_events_is_damaged(c->events))
        return false;
    if (event->tag == TRACE_RAW_EVENT_LEAVE && event->call < c->same_below) {
        c->same_pending--;
    } else if (event->tag == TRACE_RAW_EVENT_ENTER && keep && event->call == c->same_below &&
               c->next_number == c->same_below) {
        c->same_below = ++c->next_number;
        c->same_pending++;
    } else {
        return false;
    }
    c->run_size += event->size;
    return true;
}

/* The calls keep their numbers and need no definitions. Returns true if they were added to the run. */
static bool extend_run_known(struct trace_copier *c, uint64_t until)
{
    uint64_t offset = trace_raw_events_offset(c->events);
    uint64_t number = trace_raw_events_next_number(c->events);
    uint64_t first;
    if (c->run_size == 0 || c->run_offset + c->run_size != offset || c->lost.len > 0 ||
        c->same_below != number || c->next_number != number)
        return false;
    c->next_number += trace_raw_events_pass_known(c->events, until, &first);
    c->same_below = c->next_number;
    c->run_size += trace_raw_events_offset(c->events) - offset;
    return true;
}

/* The definitions that the calls need are in the copy, because earlier calls of the same shape were copied.
 */
static int renumber_known(struct trace_copier *c, uint64_t until)
{
    uint64_t count = 1;
    int rc = 0;
    if (c->has_foreign_shapes)
        trace_raw_events_forget_known(c->events);
    c->has_foreign_shapes = false;
    while (rc == 0 && count > 0) {
        buf_clear(&c->known);
        if (buf_reserve(&c->known, KNOWN_CALL_BYTES) != 0)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        count = trace_raw_events_copy_known(c->events, until, c->next_number, &c->known);
        c->next_number += count;
        if (count > 0)
            rc = write_bytes(c, c->known.data, c->known.len);
    }
    return rc;
}

int trace_copier_pass_known(struct trace_copier *c, bool keep, uint64_t until)
{
    uint64_t first;
    if (!c->has_shapes)
        trace_raw_events_forget_known(c->events);
    c->has_shapes = true;
    if (!keep) {
        c->left_out += trace_raw_events_pass_known(c->events, until, &first);
        return 0;
    }
    if (extend_run_known(c, until) || trace_raw_events_is_damaged(c->events))
        return 0;
    uint64_t number = trace_raw_events_next_number(c->events);
    return number < until && until - number >= WORTHWHILE ? renumber_known(c, until) : 0;
}

int trace_copier_event(struct trace_copier *c, const struct trace_raw_event *event, bool keep,
                       const struct trace_edit *edits, size_t count)
{
    if (count == 0 && extend_run(c, event, keep))
        return note_time(c, event);
    c->event = event;
    c->done = 0;
    if (event->tag == TRACE_RAW_EVENT_LEAVE)
        return copy_leave(c, edits, count);
    if (keep && event->sig != NULL)
        return copy_enter(c, edits, count);
    c->left_out++;
    return keep_bodies(c, event);
}
