/* SPDX-License-Identifier: MIT
 * A Zstandard stream: a sequence of frames, read from the start. Skippable frames, such as a seek table,
 * contain no part of the trace.
 */
#include "formats/apitrace/container/codec_zstd.h"

#include "formats/apitrace/container/codec.h"

#include "base/error.h"
#include "base/little_endian.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define INDEX_MAGIC 0x184d2a50u /* of the skippable frame that contains an index */
/* For the first byte: the magic numbers of skippable frames are 50 to 5f 2a 4d 18. */
#define SKIPPABLE_MASK 0xf0

static enum trace_codec_bid zstd_bid(struct trace_file *f, const uint8_t *head, size_t count)
{
    static const uint8_t frame[4] = {0x28, 0xb5, 0x2f, 0xfd};
    static const uint8_t skippable[3] = {0x2a, 0x4d, 0x18};
    (void)f;
    if (count < sizeof frame)
        return TRACE_CODEC_BID_NONE;
    bool is_frame =
        memcmp(head, frame, sizeof frame) == 0 ||
        ((head[0] & SKIPPABLE_MASK) == 0x50 && memcmp(head + 1, skippable, sizeof skippable) == 0);
    return is_frame ? TRACE_CODEC_BID_MARK : TRACE_CODEC_BID_NONE;
}

struct zstd_reader {
    struct trace_file *file;
    uint64_t offset; /* file offset of the next byte to read */
    uint64_t chunks;
    uint64_t end; /* file offset of the end of the last non-empty frame */
    bool holds;   /* the current frame is not empty */
    bool between; /* at the end of a frame */
    bool pending; /* the decoder may have more output without further input */
    bool ended;
    ZSTD_DCtx *decoder;
    ZSTD_inBuffer input;
    uint8_t in[TRACE_CODEC_READ_SIZE];
};

static int zstd_reader_open(void **state, struct trace_file *f)
{
    struct zstd_reader *r = calloc(1, sizeof *r);
    if (r == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    r->file = f;
    r->between = true;
    r->input.src = r->in;
    r->decoder = ZSTD_createDCtx(); /* it rejects windows above 128 MiB */
    if (r->decoder == NULL) {
        free(r);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: Zstandard decoder");
    }
    *state = r;
    return 0;
}

static uint64_t place(const struct zstd_reader *r)
{
    return r->offset - (r->input.size - r->input.pos);
}

static int zstd_reader_claim(void *state, struct trace_chunk_job *job)
{
    struct zstd_reader *r = state;
    if (r->ended)
        return 0;
    *job = (struct trace_chunk_job){.number = r->chunks++, .file_offset = place(r)};
    return 1;
}

/* Reads more input. The end of the file is only an error inside a frame. */
static int refill(struct zstd_reader *r)
{
    size_t got = 0;
    int rc = trace_file_read_at(r->file, r->offset, r->in, sizeof r->in, &got);
    if (rc != 0)
        return rc;
    r->input.size = got;
    r->input.pos = 0;
    r->offset += got;
    r->ended = got == 0;
    if (r->ended && !r->between)
        return trace_error_set(TRACE_ERR_TRUNCATED,
                               "file offset %llu: the file ends inside its Zstandard stream",
                               (unsigned long long)r->offset);
    return 0;
}

static int zstd_reader_produce(void *state, const struct trace_chunk_job *job, struct buf *scratch,
                               struct trace_chunk *chunk)
{
    (void)job;
    (void)scratch;
    struct zstd_reader *r = state;
    int rc = trace_chunk_reserve(chunk, TRACE_CODEC_CHUNK_SIZE);
    while (rc == 0 && chunk->len < chunk->cap) {
        if (r->input.pos == r->input.size && !r->pending && ((rc = refill(r)) != 0 || r->ended))
            break;
        ZSTD_outBuffer output = {chunk->data, chunk->cap, chunk->len};
        size_t status = ZSTD_decompressStream(r->decoder, &output, &r->input);
        r->between = status == 0;
        r->holds = r->holds || output.pos > chunk->len;
        r->pending = !r->between && output.pos > chunk->len;
        if (r->between && r->holds)
            r->end = place(r);
        r->holds = r->holds && !r->between;
        chunk->len = output.pos;
        if (ZSTD_isError(status)) {
            r->ended = true;
            rc = trace_error_set(TRACE_ERR_FORMAT, "file offset %llu: corrupt Zstandard data: %s",
                                 (unsigned long long)place(r), ZSTD_getErrorName(status));
        }
    }
    return rc;
}

/* Moves to the beginning of a frame. */
static int zstd_reader_seek(void *state, uint64_t number, uint64_t file_offset)
{
    struct zstd_reader *r = state;
    r->chunks = number;
    r->offset = file_offset;
    r->input.pos = r->input.size = 0;
    r->between = true;
    r->pending = r->ended = r->holds = false;
    ZSTD_DCtx_reset(r->decoder, ZSTD_reset_session_only);
    return 0;
}

static uint64_t zstd_reader_end(void *state)
{
    return ((const struct zstd_reader *)state)->end;
}

static void zstd_reader_close(void *state)
{
    struct zstd_reader *r = state;
    ZSTD_freeDCtx(r->decoder);
    free(r);
}

int trace_codec_zstd_append_skippable(uint64_t size, struct buf *out)
{
    uint8_t head[8];
    if (size > UINT32_MAX)
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "an index of %llu bytes does not fit into a Zstandard frame",
                               (unsigned long long)size);
    put_u32(head, INDEX_MAGIC);
    put_u32(head + 4, (uint32_t)size);
    return buf_append(out, head, sizeof head) != 0 ? TRACE_ERR_MEMORY : 0;
}

const struct trace_codec trace_codec_zstd = {
    .name = "Zstandard",
    .independent = false,
    .bid = zstd_bid,
    .reader_open = zstd_reader_open,
    .reader_claim = zstd_reader_claim,
    .reader_produce = zstd_reader_produce,
    .reader_close = zstd_reader_close,
    .reader_seek = zstd_reader_seek,
    .reader_end = zstd_reader_end,
    .before_index = trace_codec_zstd_append_skippable,
};
