/* SPDX-License-Identifier: MIT */
#include "trace/stream_seek.h"

#include <string.h>

#define MAX_RATIO                                                                                            \
    256 /* of a section of signatures and what is stored of it: no text is better compressed                 \
         */

/* --- signatures from the index --------------------------------------------------------------------- */

static int misfit(void)
{
    return error_set(ERR_FORMAT, "the signatures in the index are damaged");
}

/* What precedes a signature in the index. */
struct sig_head {
    uint64_t kind;
    uint64_t event; /* where in the stream the event begins that defines it */
    uint64_t size;  /* of id and body */
    size_t length;  /* of the head itself */
};

static int read_head(const struct trace_stream *st, struct trace_trailer *t, struct sig_head *head)
{
    uint8_t bytes[3 * VARINT_MAX_BYTES];
    uint64_t numbers[3];
    uint64_t left = trace_trailer_bytes(t, TRACE_SECTION_SIGNATURES) - st->loaded;
    size_t count = left < sizeof bytes ? (size_t)left : sizeof bytes;
    int rc = trace_trailer_read(t, TRACE_SECTION_SIGNATURES, st->loaded, bytes, count);
    if (rc != 0)
        return rc;
    head->length = 0;
    for (unsigned i = 0; i < 3; ++i) {
        int used = varint_get(bytes + head->length, bytes + count, &numbers[i]);
        if (used <= 0)
            return misfit();
        head->length += (size_t)used;
    }
    head->kind = numbers[0];
    head->event = st->loaded_event + numbers[1];
    head->size = numbers[2];
    return head->kind < TRACE_SIG_KINDS && head->size <= left - head->length ? 0 : misfit();
}

/* Defines what these bytes say, unless it is known. */
static int define_sig(struct trace_stream *st, enum trace_sig_kind kind, const struct buf *bytes,
                      trace_passed_hook hook, void *context)
{
    struct trace_parser *s = &st->parser;
    uint64_t id;
    int used = varint_get(bytes->data, bytes->data + bytes->len, &id);
    if (used <= 0 || id >= TRACE_ID_LIMIT)
        return misfit();
    if (trace_signatures_find(&s->sigs, kind, (uint32_t)id) != NULL)
        return 0;
    const uint8_t *p = s->p;
    const uint8_t *end = s->end;
    s->p = bytes->data;
    s->end = bytes->data + bytes->len;
    int rc = trace_parse_sig(s, kind);
    if (rc == TRACE_PARSE_MORE || (rc == 0 && s->p != s->end))
        rc = misfit();
    s->p = p;
    s->end = end;
    if (rc != 0) {
        trace_signatures_rollback(&s->sigs);
        return rc;
    }
    trace_signatures_commit(&s->sigs);
    const struct trace_passed_sig passed = {kind, (uint32_t)id, bytes->data + used,
                                            bytes->len - (size_t)used};
    return hook != NULL ? hook(context, &passed) : 0;
}

/* Makes known what is defined before this byte of the stream. */
static int load_signatures(struct trace_stream *st, uint64_t stream_offset, trace_passed_hook hook,
                           void *context)
{
    struct trace_trailer *t = trace_input_trailer(st->in, NULL);
    uint64_t size = trace_trailer_bytes(t, TRACE_SECTION_SIGNATURES);
    struct buf bytes = BUF_INIT;
    int rc = 0;
    if (size / MAX_RATIO > trace_trailer_stored_bytes(t, TRACE_SECTION_SIGNATURES))
        return misfit();
    while (st->loaded < size && rc == 0) {
        struct sig_head head = {0};
        rc = read_head(st, t, &head);
        if (rc != 0 || head.event >= stream_offset)
            break;
        buf_clear(&bytes);
        rc = buf_reserve(&bytes, (size_t)head.size);
        if (rc == 0)
            rc = trace_trailer_read(t, TRACE_SECTION_SIGNATURES, st->loaded + head.length, bytes.data,
                                    (size_t)head.size);
        bytes.len = (size_t)head.size;
        if (rc == 0)
            rc = define_sig(st, (enum trace_sig_kind)head.kind, &bytes, hook, context);
        st->loaded += head.length + head.size;
        st->loaded_event = head.event;
    }
    buf_fini(&bytes);
    return rc;
}

/* Before going back. What stands in for something lost must not be taken for it elsewhere. */
static int forget_signatures(struct trace_stream *st)
{
    bool damaged = st->parser.damaged;
    st->parser.damaged = false;
    st->loaded = st->loaded_event = 0;
    return trace_signatures_hide(&st->parser.sigs, !damaged);
}

/* --- places ---------------------------------------------------------------------------------------- */

static void drop_window(struct trace_stream *st)
{
    struct trace_parser *s = &st->parser;
    trace_chunk_unref(s->chunk);
    s->chunk = NULL;
    s->p = s->end = st->window = NULL;
    st->window_offset = 0;
}

/* The next chunk becomes the window, which then begins at stream offset `at`. */
static int next_window(struct trace_stream *st, uint64_t at)
{
    struct trace_chunk *chunk;
    int rc = trace_input_next_chunk(st->in, &chunk);
    if (rc == 0 && chunk == NULL)
        rc = error_set(ERR_FORMAT, "the stream is shorter than the index says");
    if (rc == 0)
        trace_stream_set_window(st, chunk, at);
    return rc;
}

static uint64_t window_end(const struct trace_stream *st)
{
    return st->window_offset + (uint64_t)(st->parser.end - st->window);
}

/* Chunks that depend on each other are read on, if that leads there. */
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
            rc = error_set(ERR_FORMAT, "chunk %llu is not what the index says", (unsigned long long)index);
    }
    while (rc == 0 && offset >= window_end(st))
        rc = next_window(st, window_end(st));
    if (rc == 0)
        st->parser.p = st->window + (offset - st->window_offset);
    return rc;
}

int trace_stream_go(struct trace_stream *st, const struct trace_segment *segment, trace_passed_hook hook,
                    void *context)
{
    struct trace_trailer *t = trace_input_trailer(st->in, NULL);
    struct trace_chunk_entry entry;
    uint64_t index;
    trace_signatures_rollback(&st->parser.sigs);
    int rc = trace_trailer_find_chunk(t, segment->stream_offset, &index, &entry);
    if (rc == 0 && (segment->stream_offset < trace_stream_offset(st) || st->parser.damaged))
        rc = forget_signatures(st);
    if (rc == 0)
        rc = load_signatures(st, segment->stream_offset, hook, context);
    return rc != 0 ? rc : go_to_offset(st, segment->stream_offset, index, &entry);
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
            rc = error_set(ERR_TRUNCATED, "%s: the trace has become shorter", trace_input_path(st->in));
    }
    if (rc == 0)
        s->p += st->header_size;
    return rc;
}
