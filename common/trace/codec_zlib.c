/* SPDX-License-Identifier: MIT
 * A gzip stream.
 */
#include "trace/codec.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define GZIP_WINDOW_BITS (15 + 16) /* the largest window, in gzip framing */
#define MEMORY_LEVEL     8         /* zlib's own default */

static bool zlib_matches(struct trace_file *f, const uint8_t *head, size_t count)
{
    (void)f;
    return count >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

/* --- reading --------------------------------------------------------------------------------------- */

struct zlib_reader {
    struct trace_file *file;
    uint64_t offset; /* of the next byte to read from the file */
    uint64_t chunks;
    bool between; /* at the end of a gzip member */
    bool ended;
    z_stream z;
    uint8_t in[TRACE_CODEC_READ_SIZE];
};

static int zlib_reader_open(void **state, struct trace_file *f)
{
    struct zlib_reader *r = calloc(1, sizeof *r);
    if (r == NULL)
        return error_set(ERR_MEMORY, "out of memory");
    r->file = f;
    if (inflateInit2(&r->z, GZIP_WINDOW_BITS) != Z_OK) {
        free(r);
        return error_set(ERR_MEMORY, "out of memory: gzip decoder");
    }
    *state = r;
    return 0;
}

static int zlib_reader_claim(void *state, struct trace_chunk_job *job)
{
    struct zlib_reader *r = state;
    if (r->ended)
        return 0;
    *job = (struct trace_chunk_job){.number = r->chunks++, .file_offset = r->offset - r->z.avail_in};
    return 1;
}

static int refill(struct zlib_reader *r)
{
    size_t got = 0;
    int rc = trace_file_read_at(r->file, r->offset, r->in, sizeof r->in, &got);
    r->z.next_in = r->in;
    r->z.avail_in = (uInt)got;
    r->offset += got;
    return rc;
}

/* After a member comes another, or anything else, which is no longer ours (as with gzip itself). */
static void begin_member(struct zlib_reader *r)
{
    if (r->z.avail_in == 0 || r->z.next_in[0] != 0x1f || inflateReset(&r->z) != Z_OK)
        r->ended = true;
    r->between = false;
}

static int zlib_reader_produce(void *state, const struct trace_chunk_job *job, struct buf *scratch,
                               struct trace_chunk *chunk)
{
    (void)job;
    (void)scratch;
    struct zlib_reader *r = state;
    int rc = trace_chunk_reserve(chunk, TRACE_CODEC_CHUNK_SIZE);
    while (rc == 0 && !r->ended && chunk->len < chunk->cap) {
        if (r->z.avail_in == 0 && (rc = refill(r)) != 0)
            break;
        if (r->between) {
            begin_member(r);
            continue;
        }
        if (r->z.avail_in == 0) {
            r->ended = true;
            return error_set(ERR_TRUNCATED, "file offset %llu: the file ends inside its gzip stream",
                             (unsigned long long)r->offset);
        }
        r->z.next_out = chunk->data + chunk->len;
        r->z.avail_out = (uInt)(chunk->cap - chunk->len);
        int status = inflate(&r->z, Z_NO_FLUSH);
        chunk->len = chunk->cap - r->z.avail_out;
        r->between = status == Z_STREAM_END;
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
            r->ended = true;
            return error_set(ERR_FORMAT, "file offset %llu: corrupt gzip data%s%s",
                             (unsigned long long)(r->offset - r->z.avail_in), r->z.msg != NULL ? ": " : "",
                             r->z.msg != NULL ? r->z.msg : "");
        }
    }
    return rc;
}

static void zlib_reader_close(void *state)
{
    struct zlib_reader *r = state;
    inflateEnd(&r->z);
    free(r);
}

/* --- writing --------------------------------------------------------------------------------------- */

struct zlib_writer {
    int fd;
    z_stream z;
    uint8_t out[1 << 16];
};

static int zlib_writer_open(void **state, int fd, int level)
{
    struct zlib_writer *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_set(ERR_MEMORY, "out of memory");
    w->fd = fd;
    int status = deflateInit2(&w->z, level == -1 ? Z_BEST_COMPRESSION : level, Z_DEFLATED, GZIP_WINDOW_BITS,
                              MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
    if (status != Z_OK) {
        free(w);
        return status == Z_MEM_ERROR ? error_set(ERR_MEMORY, "out of memory: gzip encoder")
                                     : error_set(ERR_USAGE, "zlib has no level %d (1 to 9)", level);
    }
    *state = w;
    return 0;
}

static int run_deflate(struct zlib_writer *w, int flush)
{
    do {
        w->z.next_out = w->out;
        w->z.avail_out = sizeof w->out;
        deflate(&w->z, flush); /* cannot fail but for Z_BUF_ERROR: nothing to do */
        int rc = trace_codec_write_fd(w->fd, w->out, sizeof w->out - w->z.avail_out);
        if (rc != 0)
            return rc;
    } while (w->z.avail_out == 0);
    return 0;
}

static int zlib_writer_write(void *state, const uint8_t *bytes, size_t count)
{
    struct zlib_writer *w = state;
    int rc = 0;
    while (count > 0 && rc == 0) {
        size_t n = count < (size_t)1 << 30 ? count : (size_t)1 << 30; /* avail_in has 32 bits */
        w->z.next_in = (Bytef *)(uintptr_t)bytes;                     /* zlib's type lacks const */
        w->z.avail_in = (uInt)n;
        rc = run_deflate(w, Z_NO_FLUSH);
        bytes += n;
        count -= n;
    }
    return rc;
}

static int zlib_writer_flush(void *state)
{
    return run_deflate(state, Z_SYNC_FLUSH);
}

static int zlib_writer_close(void *state)
{
    struct zlib_writer *w = state;
    int rc = run_deflate(w, Z_FINISH);
    deflateEnd(&w->z);
    free(w);
    return rc;
}

const struct trace_codec trace_codec_zlib = {
    .name = "ZLib",
    .independent = false,
    .matches = zlib_matches,
    .reader_open = zlib_reader_open,
    .reader_claim = zlib_reader_claim,
    .reader_produce = zlib_reader_produce,
    .reader_close = zlib_reader_close,
    .writer_open = zlib_writer_open,
    .writer_write = zlib_writer_write,
    .writer_flush = zlib_writer_flush,
    .writer_close = zlib_writer_close,
};
