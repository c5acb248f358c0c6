/* SPDX-License-Identifier: MIT
 * gzip: a sequence of members. They are read with zlib, and written with libdeflate, which is several times
 * faster but needs whole members.
 */
#include "formats/apitrace/container/codec.h"

#include "base/error.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define GZIP_WINDOW_BITS (15 + 16) /* the largest window, in gzip framing */
/* Uncompressed size; members of this size make the file less than 0.5 % larger. */
#define MEMBER_SIZE ((size_t)1 << 20)

static enum trace_codec_bid zlib_bid(struct trace_file *f, const uint8_t *head, size_t count)
{
    (void)f;
    return count >= 2 && head[0] == 0x1f && head[1] == 0x8b ? TRACE_CODEC_BID_MARK : TRACE_CODEC_BID_NONE;
}

/* --- reading --------------------------------------------------------------------------------------- */

struct zlib_reader {
    struct trace_file *file;
    uint64_t offset; /* file offset of the next byte to read */
    uint64_t chunks;
    uint64_t end; /* file offset of the end of the last non-empty member */
    bool between; /* at the end of a gzip member */
    bool ended;
    z_stream z;
    uint8_t in[TRACE_CODEC_READ_SIZE];
};

static int zlib_reader_open(void **state, struct trace_file *f)
{
    struct zlib_reader *r = calloc(1, sizeof *r);
    if (r == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    r->file = f;
    if (inflateInit2(&r->z, GZIP_WINDOW_BITS) != Z_OK) {
        free(r);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: gzip decoder");
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

/* A member may be followed by another one, or by anything else, which is ignored (as by gzip itself). */
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
            return trace_error_set(TRACE_ERR_TRUNCATED,
                                   "file offset %llu: the file ends inside its gzip stream",
                                   (unsigned long long)r->offset);
        }
        r->z.next_out = chunk->data + chunk->len;
        r->z.avail_out = (uInt)(chunk->cap - chunk->len);
        int status = inflate(&r->z, Z_NO_FLUSH);
        chunk->len = chunk->cap - r->z.avail_out;
        r->between = status == Z_STREAM_END;
        if (r->between && r->z.total_out > 0)
            r->end = r->offset - r->z.avail_in;
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
            r->ended = true;
            return trace_error_set(TRACE_ERR_FORMAT, "file offset %llu: corrupt gzip data%s%s",
                                   (unsigned long long)(r->offset - r->z.avail_in),
                                   r->z.msg != NULL ? ": " : "", r->z.msg != NULL ? r->z.msg : "");
        }
    }
    return rc;
}

/* Moves to the beginning of a gzip member. */
static int zlib_reader_seek(void *state, uint64_t number, uint64_t file_offset)
{
    struct zlib_reader *r = state;
    r->chunks = number;
    r->offset = file_offset;
    r->z.avail_in = 0;
    r->between = r->ended = false;
    return inflateReset(&r->z) == Z_OK ? 0
                                       : trace_error_set(TRACE_ERR_FORMAT, "cannot reset the gzip decoder");
}

static uint64_t zlib_reader_end(void *state)
{
    return ((const struct zlib_reader *)state)->end;
}

static void zlib_reader_close(void *state)
{
    struct zlib_reader *r = state;
    inflateEnd(&r->z);
    free(r);
}

/* --- writing --------------------------------------------------------------------------------------- */

/* For each level of zlib, the fastest level of libdeflate whose size is at most 2 % above. */
static const int deflate_levels[] = {0, 2, 2, 6, 6, 6, 7, 8, 10, 10};

/* Returns the highest compressed size of a block, which does not depend on the level. */
static size_t member_compressed_max(void)
{
    return libdeflate_gzip_compress_bound(NULL, MEMBER_SIZE);
}

static int member_open(void **compressor, int level)
{
    *compressor = libdeflate_alloc_compressor(deflate_levels[level]);
    return *compressor != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory: gzip encoder");
}

static int member_compress(void *compressor, struct trace_block *block)
{
    block->length = libdeflate_gzip_compress(compressor, block->bytes, block->size, block->compressed,
                                             member_compressed_max());
    return block->length > 0 ? 0 : trace_error_set(TRACE_ERR_FORMAT, "gzip compression failed");
}

static void member_close(void *compressor)
{
    libdeflate_free_compressor(compressor);
}

static const struct trace_block_codec members = {
    .block_size = MEMBER_SIZE,
    .needs_a_block = true,
    .compressed_max = member_compressed_max,
    .open = member_open,
    .compress = member_compress,
    .close = member_close,
};

/* --- the index ----------------------------------------------------------------------------------- */

/* A piece of an index is the extra field of an empty gzip member. */
#define PIECE        ((size_t)65520)
#define PIECE_BEFORE 16
#define PIECE_AFTER  10

static void put_before_piece(uint8_t *out, size_t piece)
{
    static const uint8_t head[PIECE_BEFORE] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 0, 0, 'T', 'I'};
    size_t field = piece + 4;
    memcpy(out, head, sizeof head);
    out[10] = (uint8_t)field;
    out[11] = (uint8_t)(field >> 8);
    out[14] = (uint8_t)piece;
    out[15] = (uint8_t)(piece >> 8);
}

/* An empty block, a checksum of 0, a size of 0. */
static void put_after_piece(uint8_t *out, size_t piece)
{
    (void)piece;
    memset(out, 0, PIECE_AFTER);
    out[0] = 3;
}

static const struct trace_index_wrap index_wrap = {PIECE, PIECE_BEFORE, PIECE_AFTER, put_before_piece,
                                                   put_after_piece};

extern const struct trace_codec trace_codec_zlib;
const struct trace_codec trace_codec_zlib = {
    .name = "ZLib",
    .independent = false,
    .bid = zlib_bid,
    .reader_open = zlib_reader_open,
    .reader_claim = zlib_reader_claim,
    .reader_produce = zlib_reader_produce,
    .reader_close = zlib_reader_close,
    .reader_seek = zlib_reader_seek,
    .reader_end = zlib_reader_end,
    .index_wrap = &index_wrap,
    .blocks = &members,
};
