/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/stream_seek.h"

#include "base/varint.h"
#include "formats/apitrace/parse/parser_signatures.h"

#include <stdio.h>

/* --- places ---------------------------------------------------------------------------------------- */

static void drop_window(struct trace_stream *st)
{
    struct trace_parser *s = &st->parser;
    trace_chunk_unref(s->chunk);
    s->chunk = NULL;
    s->p = s->end = st->window = NULL;
    st->window_offset = 0;
}

/* A chunk could not be read. Returns true if the location in the index is right. */
static bool is_chunk_damaged(struct trace_stream *st, uint64_t stream_offset)
{
    struct trace_chunk_entry entry;
    uint64_t index;
    return trace_input_find_chunk(st->in, stream_offset, &index, &entry) == 0 &&
           entry.stream_offset == stream_offset && trace_input_has_chunk(st->in, index, &entry);
}

/* Makes the next chunk the window, which begins at stream offset `at`. Errors: TRACE_ERR_DAMAGED if the file
 * has this chunk, but it is damaged. */
static int next_window(struct trace_stream *st, uint64_t at)
{
    struct trace_chunk *chunk;
    int rc = trace_input_next_chunk(st->in, &chunk);
    if (rc == 0 && chunk == NULL)
        rc = trace_error_set(TRACE_ERR_FORMAT, "the stream is shorter than the index says");
    if (rc == 0)
        trace_stream_set_window(st, chunk, at);
    return rc == TRACE_ERR_FORMAT && is_chunk_damaged(st, at) ? TRACE_ERR_DAMAGED : rc;
}

static uint64_t window_end(const struct trace_stream *st)
{
    return st->window_offset + (uint64_t)(st->parser.end - st->window);
}

static bool is_in_window(const struct trace_stream *st, uint64_t offset)
{
    return offset >= st->window_offset && offset < window_end(st);
}

/* Chunks that depend on each other are read in sequence if that leads to the offset. */
static int go_to_offset(struct trace_stream *st, uint64_t offset, uint64_t index,
                        const struct trace_chunk_entry *entry)
{
    bool alone = trace_input_has_chunks(st->in);
    int rc = 0;
    if (alone || offset < st->window_offset || window_end(st) < entry->stream_offset) {
        rc = trace_input_seek(st->in, index, entry);
        drop_window(st);
        if (rc == 0)
            rc = next_window(st, entry->stream_offset);
        if (rc == 0 && alone && (window_end(st) != entry->stream_offset + entry->size))
            rc = trace_error_set(TRACE_ERR_FORMAT, "chunk %llu does not match the index",
                                 (unsigned long long)index);
    }
    while (rc == 0 && offset >= window_end(st))
        rc = next_window(st, window_end(st));
    if (rc == 0)
        st->parser.p = st->window + (offset - st->window_offset);
    return rc;
}

/* Moves to the chunk with the offset. The window is empty then. */
static int stand_before(struct trace_stream *st, uint64_t index, const struct trace_chunk_entry *entry)
{
    drop_window(st);
    st->window_offset = entry->stream_offset;
    return trace_input_seek(st->in, index, entry);
}

/* --- signatures from the index --------------------------------------------------------------------- */

int trace_stream_define(struct trace_stream *st, enum trace_sig_kind kind, const uint8_t *bytes, size_t size)
{
    struct trace_parser *s = &st->parser;
    const uint8_t *p = s->p;
    const uint8_t *end = s->end;
    s->p = bytes;
    s->end = bytes + size;
    int rc = trace_parse_sig(s, kind);
    if (rc == TRACE_PARSE_MORE || (rc == 0 && s->p != s->end))
        rc = trace_error_set(TRACE_ERR_FORMAT, "a signature in the index is damaged");
    s->p = p;
    s->end = end;
    if (rc == 0)
        trace_signatures_commit(&s->sigs);
    else
        trace_signatures_rollback(&s->sigs);
    return rc;
}

/* Appends the bytes of the stream, which is then at their end. *placed: the position of the window is
 * certain. Memory is allocated for the bytes that exist, not for a size that the file claims. Errors are
 * those of next_window(). */
static int read_stream(struct trace_stream *st, uint64_t offset, uint64_t count, struct buf *bytes,
                       bool *placed)
{
    struct trace_chunk_entry entry;
    uint64_t index;
    int rc = 0;
    if (*placed && is_in_window(st, offset))
        st->parser.p = st->window + (offset - st->window_offset);
    else if ((rc = trace_input_find_chunk(st->in, offset, &index, &entry)) == 0)
        rc = go_to_offset(st, offset, index, &entry);
    while (rc == 0 && count > 0) {
        size_t left = trace_parser_left(&st->parser);
        size_t n = count < left ? (size_t)count : left;
        rc = buf_append(bytes, st->parser.p, n);
        st->parser.p += n;
        count -= n;
        if (rc == 0 && count > 0)
            rc = next_window(st, window_end(st));
    }
    *placed = rc == 0;
    return rc;
}

/* Reads the body of a signature from the stream, before `limit`. */
static int fetch_body(struct trace_stream *st, uint64_t limit, struct trace_indexed_sig *sig,
                      struct buf *bytes, bool *placed)
{
    uint64_t id;
    if (sig->stream_offset > limit || sig->stream_bytes > limit - sig->stream_offset)
        return trace_error_set(TRACE_ERR_FORMAT, "the index refers to a signature after its use");
    int rc = read_stream(st, sig->stream_offset, sig->stream_bytes, bytes, placed);
    if (rc != 0)
        return rc;
    int used = varint_get(bytes->data, bytes->data + bytes->len, &id);
    if (used <= 0 || id != sig->id)
        return trace_error_set(TRACE_ERR_FORMAT, "the index refers to a signature that does not exist");
    sig->body = bytes->data + used;
    sig->size = bytes->len - (size_t)used;
    return 0;
}

/* Loads the signatures that are defined before this stream offset. placed: as above. If it is NULL, the
 * stream must not move, and signatures to which the index only refers stay unknown. Errors: TRACE_ERR_DAMAGED
 * if signatures are in damaged chunks; they stay unknown. */
static int load_signatures(struct trace_stream *st, uint64_t stream_offset, bool *placed,
                           trace_passed_hook hook, void *context)
{
    struct trace_index *t = trace_input_index(st->in, NULL);
    struct buf bytes = BUF_INIT;
    struct trace_indexed_sig sig;
    bool found;
    bool lost = false;
    struct trace_kept_error why;
    int rc;
    while ((rc = trace_indexed_sig_next(t, &st->loaded, stream_offset, &bytes, &sig, &found)) == 0 && found) {
        if (trace_signatures_find(&st->parser.sigs, sig.kind, sig.id) != NULL ||
            (sig.body == NULL && placed == NULL))
            continue;
        if (sig.body == NULL)
            rc = fetch_body(st, stream_offset, &sig, &bytes, placed);
        if (rc == TRACE_ERR_DAMAGED) {
            lost = true;
            if (st->lost_until <= sig.stream_offset)
                st->lost_until = sig.stream_offset + 1;
            trace_error_keep(&why, rc);
            continue;
        }
        if (rc == 0)
            rc = trace_stream_define(st, sig.kind, bytes.data, bytes.len);
        if (rc == 0 && hook != NULL)
            rc = hook(context, &sig);
        if (rc != 0)
            break;
    }
    buf_fini(&bytes);
    if (rc != 0 || !lost)
        return rc;
    st->parser.damaged = true;
    return trace_error_set(TRACE_ERR_DAMAGED, "%s; names that are defined there are lost", why.message);
}

/* Called before moving back. A placeholder for a lost signature must not be used elsewhere. */
static int forget_signatures(struct trace_stream *st)
{
    bool damaged = st->parser.damaged;
    st->parser.damaged = false;
    st->loaded = (struct trace_sig_place){0};
    return trace_signatures_hide(&st->parser.sigs, !damaged);
}

/* --- going ----------------------------------------------------------------------------------------- */

int trace_stream_go(struct trace_stream *st, const struct trace_segment *segment, trace_passed_hook hook,
                    void *context)
{
    struct trace_chunk_entry entry;
    uint64_t index;
    bool placed = !st->parser.damaged;
    struct trace_kept_error lost;
    trace_signatures_rollback(&st->parser.sigs);
    int rc = trace_input_find_chunk(st->in, segment->stream_offset, &index, &entry);
    if (rc == 0 && (segment->stream_offset < trace_stream_offset(st) || st->parser.damaged))
        rc = forget_signatures(st);
    if (rc == 0)
        rc = load_signatures(st, segment->stream_offset, &placed, hook, context);
    if (rc != 0 && rc != TRACE_ERR_DAMAGED)
        return rc;
    trace_error_keep(&lost, rc);
    int place_rc = go_to_offset(st, segment->stream_offset, index, &entry);
    if (place_rc == TRACE_ERR_DAMAGED)
        place_rc = stand_before(st, index, &entry);
    return place_rc != 0 || rc == 0 ? place_rc : trace_error_restore(&lost);
}

bool trace_stream_has_lost_more(struct trace_stream *st)
{
    bool more = st->lost_until > st->told_until;
    st->told_until = st->lost_until;
    return more;
}

void trace_stream_locate(struct trace_stream *st)
{
    const struct trace_chunk *chunk = st->parser.chunk;
    struct trace_chunk_entry entry;
    if (trace_input_known_chunk(st->in, chunk->number, &entry) != 0 ||
        entry.file_offset != chunk->file_offset || entry.size != chunk->len)
        return;
    st->window_offset = entry.stream_offset;
    load_signatures(st, entry.stream_offset, NULL, NULL, NULL); /* as far as possible */
}

int trace_stream_rewind(struct trace_stream *st)
{
    struct trace_parser *s = &st->parser;
    int rc = trace_input_rewind(st->in);
    if (rc != 0)
        return rc;
    drop_window(st);
    rc = forget_signatures(st);
    while (rc == 0 && trace_parser_left(s) < st->header_size) {
        bool more;
        rc = trace_stream_refill(st, s->p, st->header_size - trace_parser_left(s), &more);
        if (rc == 0 && !more)
            rc = trace_error_set(TRACE_ERR_TRUNCATED, "%s: the trace was cut off while it was read",
                                 trace_input_path(st->in));
    }
    if (rc == 0)
        s->p += st->header_size;
    return rc;
}
