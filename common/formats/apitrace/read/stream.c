/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/input.h"
#include "formats/apitrace/read/stream.h"

#include <stdlib.h>
#include <string.h>

#define MAX_EVENT_BYTES ((size_t)1 << 33) /* limit for an event; a larger size means damage */

/* --- the window ------------------------------------------------------------------------------------ */

static void set_window(struct trace_stream *st, struct trace_chunk *chunk, uint8_t *start, size_t kept)
{
    struct trace_parser *s = &st->parser;
    st->window_offset += (uint64_t)(s->end - st->window) - kept;
    trace_chunk_unref(s->chunk);
    s->chunk = chunk;
    s->p = st->window = start;
    s->end = chunk->data + chunk->len;
    if (!st->is_clone)
        trace_input_read_on(st->in);
}

void trace_stream_set_window(struct trace_stream *st, struct trace_chunk *chunk, uint64_t window_offset)
{
    set_window(st, chunk, chunk->data, 0);
    st->window_offset = window_offset;
}

int trace_stream_prefix_place(struct trace_stream *st, int rc)
{
    const struct trace_parser *s = &st->parser;
    unsigned long long at = trace_stream_offset(st);
    const char *path = trace_input_path(st->in);
    if (s->chunk != NULL && trace_input_has_chunks(st->in))
        return trace_error_prefix(rc, "%s: byte %llu of the event stream (chunk %llu at file offset %llu)",
                                  path, at, (unsigned long long)s->chunk->number,
                                  (unsigned long long)s->chunk->file_offset);
    return trace_error_prefix(rc, "%s: byte %llu of the event stream", path, at);
}

/* Sizes of joined chunks differ little, so that the next one has room in the memory of an earlier one. What
 * is not used of it takes none. */
static size_t round_up(size_t size)
{
    const size_t unit = (size_t)4 << 20;
    return (size + unit - 1) / unit * unit;
}

/* Joins the beginning of a long event and as many chunks as it needs in a buffer. The buffer at least
 * doubles, so that an event of many small chunks is not parsed again for each of them. */
static int join_chunks(struct trace_stream *st, struct trace_chunk *chunk, const uint8_t *kept, size_t count,
                       size_t need)
{
    struct trace_chunk *joined =
        trace_chunk_new(trace_input_pool(st->in), round_up(2 * (count + chunk->len)));
    size_t target = need > count ? count + need : 2 * count;
    int rc = 0;
    if (joined == NULL) {
        trace_chunk_unref(chunk);
        return TRACE_ERR_MEMORY;
    }
    memcpy(joined->data, kept, count);
    joined->len = count;
    while (chunk != NULL && rc == 0) {
        joined->number = chunk->number;
        joined->file_offset = chunk->file_offset;
        if (joined->cap - joined->len < chunk->len)
            rc = trace_chunk_reserve(joined, round_up(2 * (joined->len + chunk->len)));
        if (rc == 0) {
            memcpy(joined->data + joined->len, chunk->data, chunk->len);
            joined->len += chunk->len;
        }
        trace_chunk_unref(chunk);
        chunk = NULL;
        if (rc == 0 && joined->len < target && trace_input_next_chunk(st->in, &chunk) != 0)
            chunk = NULL; /* the error is permanent, and returned again when these bytes have been consumed */
    }
    if (rc != 0) {
        trace_chunk_unref(joined);
        return rc;
    }
    set_window(st, joined, joined->data, count);
    return 0;
}

static int next_chunk(struct trace_stream *st, struct trace_chunk **out)
{
    *out = NULL;
    return st->is_clone ? 0 : trace_input_next_chunk(st->in, out);
}

int trace_stream_refill(struct trace_stream *st, const uint8_t *event, size_t need, bool *more)
{
    size_t kept = (size_t)(st->parser.end - event);
    struct trace_chunk *chunk;
    *more = false;
    if (kept > MAX_EVENT_BYTES || need > MAX_EVENT_BYTES - kept)
        return trace_stream_prefix_place(
            st, trace_error_set(TRACE_ERR_FORMAT, "an event has more than %zu bytes", MAX_EVENT_BYTES));
    int rc = next_chunk(st, &chunk);
    *more = rc == 0 && chunk != NULL;
    if (!*more)
        return rc;
    if (kept > TRACE_CHUNK_HEADROOM || need > chunk->len)
        return join_chunks(st, chunk, event, kept, need);
    uint8_t *start = chunk->data - kept;
    if (kept > 0)
        memcpy(start, event, kept);
    set_window(st, chunk, start, kept);
    return 0;
}

int trace_stream_skip(struct trace_stream *st, bool *more)
{
    struct trace_chunk *chunk;
    int rc = next_chunk(st, &chunk);
    *more = rc == 0 && chunk != NULL;
    if (*more)
        set_window(st, chunk, chunk->data, 0);
    return rc;
}

/* --- the header ------------------------------------------------------------------------------------ */

static int parse_properties(struct trace_stream *st)
{
    struct trace_property *list = NULL;
    size_t cap = 0;
    int rc;
    st->property_count = 0;
    for (;;) {
        struct trace_property property;
        uint64_t length;
        if ((rc = trace_parse_string(&st->parser, &st->arena, &property.name, &length)) != 0 || length == 0)
            break;
        if ((rc = trace_parse_string(&st->parser, &st->arena, &property.value, NULL)) != 0)
            break;
        if (st->property_count == cap) {
            struct trace_property *more = arena_alloc(&st->arena, (cap * 2 + 8) * sizeof *more);
            if (more == NULL)
                return TRACE_ERR_MEMORY;
            if (cap > 0)
                memcpy(more, list, cap * sizeof *more);
            list = more;
            cap = cap * 2 + 8;
        }
        list[st->property_count++] = property;
    }
    st->properties = list;
    return rc;
}

static int parse_header(struct trace_stream *st)
{
    uint64_t version;
    uint64_t semantic;
    int rc = trace_parse_uint(&st->parser, &version);
    if (rc != 0)
        return rc;
    if (version > TRACE_FORMAT_VERSION)
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "trace format version %llu is not supported (only 0 to %d)",
                               (unsigned long long)version, TRACE_FORMAT_VERSION);
    semantic = version;
    if (version >= 6) {
        rc = trace_parse_uint(&st->parser, &semantic);
        if (rc == 0)
            rc = parse_properties(st);
    }
    st->version = st->parser.version = (unsigned)version;
    st->semantic_version = (unsigned)semantic;
    return rc;
}

/* Data without a magic number can only be recognised by decoding it. */
static int explain_no_header(struct trace_stream *st, int rc)
{
    bool nothing = st->parser.p == st->parser.end;
    if (!trace_input_has_mark(st->in) && (rc == TRACE_ERR_FORMAT || nothing))
        return trace_error_set(
            TRACE_ERR_FORMAT,
            "%s: not a trace: neither Snappy chunks nor a gzip, Zstandard or Brotli stream, or "
            "damaged at its start",
            trace_input_path(st->in));
    return rc;
}

static int read_header(struct trace_stream *st)
{
    const char *path = trace_input_path(st->in);
    for (;;) {
        const uint8_t *start = st->parser.p;
        int rc = parse_header(st);
        if (rc == 0) {
            st->header_size = (size_t)(st->parser.p - start);
            st->header = arena_copy(&st->arena, start, st->header_size);
            return st->header == NULL ? TRACE_ERR_MEMORY : 0;
        }
        if (rc != TRACE_PARSE_MORE)
            return trace_error_prefix(rc, "%s", path);
        bool more;
        arena_reset(&st->arena);
        rc = trace_stream_refill(st, start, st->parser.need, &more);
        if (rc == 0 && !more)
            rc = trace_error_set(TRACE_ERR_TRUNCATED, "%s: the trace ends inside its header", path);
        if (rc != 0)
            return explain_no_header(st, rc);
    }
}

/* --- opening and closing --------------------------------------------------------------------------- */

int trace_stream_open(struct trace_stream *st, struct trace_probe *probe)
{
    memset(st, 0, sizeof *st);
    trace_parser_init(&st->parser);
    arena_init(&st->arena);
    int rc = trace_input_open_probed(&st->in, probe);
    return rc != 0 ? rc : read_header(st);
}

void trace_stream_clone(struct trace_stream *st, const struct trace_stream *of)
{
    memset(st, 0, sizeof *st);
    trace_parser_init(&st->parser);
    arena_init(&st->arena);
    st->in = of->in;
    st->is_clone = true;
    st->version = st->parser.version = of->version;
    st->semantic_version = of->semantic_version;
}

void trace_stream_close(struct trace_stream *st)
{
    trace_chunk_unref(st->parser.chunk);
    trace_parser_fini(&st->parser);
    arena_fini(&st->arena);
    if (!st->is_clone)
        trace_input_close(st->in);
}
