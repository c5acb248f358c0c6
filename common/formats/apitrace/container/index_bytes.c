/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/index_bytes.h"

#include "base/error.h"
#include "base/write_all.h"

#define MAX_AROUND 32 /* limit for the bytes before or after a piece */

uint64_t trace_index_wrapped_size(const struct trace_index_wrap *wrap, uint64_t size)
{
    if (wrap == NULL)
        return size;
    uint64_t pieces = size / wrap->piece + (size % wrap->piece != 0);
    return size + pieces * (wrap->before + wrap->after);
}

int trace_index_bytes_read(const struct trace_index_bytes *t, uint64_t at, void *bytes, size_t count)
{
    uint8_t *out = bytes;
    if (at > t->size || count > t->size - at)
        return trace_error_set(TRACE_ERR_FORMAT, "the index is damaged");
    while (count > 0) {
        size_t got;
        size_t n = count;
        uint64_t offset = t->start + at;
        if (t->wrap != NULL) {
            uint64_t pieces = at / t->wrap->piece;
            size_t left = t->wrap->piece - (size_t)(at % t->wrap->piece);
            n = n < left ? n : left;
            offset += pieces * (t->wrap->before + t->wrap->after) + t->wrap->before;
        }
        int rc = trace_file_read_at(t->file, offset, out, n, &got);
        if (rc == 0 && got < n)
            rc = trace_error_set(TRACE_ERR_FORMAT, "the index is damaged");
        if (rc != 0)
            return rc;
        out += n;
        at += n;
        count -= n;
    }
    return 0;
}

static int begin_piece(struct trace_index_sink *s)
{
    uint8_t around[MAX_AROUND];
    s->piece = s->left < s->wrap->piece ? (size_t)s->left : s->wrap->piece;
    s->piece_left = s->piece;
    s->wrap->put_before(around, s->piece);
    return write_all(s->fd, around, s->wrap->before);
}

static int end_piece(struct trace_index_sink *s)
{
    uint8_t around[MAX_AROUND];
    s->wrap->put_after(around, s->piece);
    return write_all(s->fd, around, s->wrap->after);
}

int trace_index_sink_write(struct trace_index_sink *s, const void *bytes, size_t count)
{
    const uint8_t *p = bytes;
    int rc = 0;
    if (s->wrap == NULL)
        return write_all(s->fd, bytes, count);
    while (count > 0 && rc == 0) {
        if (s->piece_left == 0 && (rc = begin_piece(s)) != 0)
            break;
        size_t n = count < s->piece_left ? count : s->piece_left;
        rc = write_all(s->fd, p, n);
        p += n;
        count -= n;
        s->left -= n;
        s->piece_left -= n;
        if (rc == 0 && s->piece_left == 0)
            rc = end_piece(s);
    }
    return rc;
}
