/* SPDX-License-Identifier: MIT
 * A Brotli stream. It has no magic number: whatever is nothing else is tried as Brotli.
 */
#include "trace/codec.h"

#include "base/error.h"

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <stdlib.h>

#define WINDOW_BITS 24 /* the largest of standard Brotli; repacking is for archives */

static bool brotli_matches(struct trace_file *f, const uint8_t *head, size_t count)
{
    (void)f;
    (void)head;
    (void)count;
    return true;
}

/* --- reading --------------------------------------------------------------------------------------- */

struct brotli_reader {
    struct trace_file *file;
    uint64_t offset; /* of the next byte to read from the file */
    uint64_t chunks;
    bool ended;
    BrotliDecoderState *decoder;
    const uint8_t *next_in;
    size_t avail_in;
    uint8_t in[TRACE_CODEC_READ_SIZE];
};

static int brotli_reader_open(void **state, struct trace_file *f)
{
    struct brotli_reader *r = calloc(1, sizeof *r);
    if (r == NULL)
        return error_set(ERR_MEMORY, "out of memory");
    r->file = f;
    r->decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (r->decoder == NULL) {
        free(r);
        return error_set(ERR_MEMORY, "out of memory: Brotli decoder");
    }
    *state = r;
    return 0;
}

static int brotli_reader_claim(void *state, struct trace_chunk_job *job)
{
    struct brotli_reader *r = state;
    if (r->ended)
        return 0;
    *job = (struct trace_chunk_job){.number = r->chunks++, .file_offset = r->offset - r->avail_in};
    return 1;
}

/* More input; an error at the end of the file, since the stream has not ended yet. */
static int refill(struct brotli_reader *r)
{
    size_t got = 0;
    int rc = trace_file_read_at(r->file, r->offset, r->in, sizeof r->in, &got);
    if (rc != 0)
        return rc;
    r->next_in = r->in;
    r->avail_in = got;
    r->offset += got;
    if (got == 0)
        return error_set(ERR_TRUNCATED, "file offset %llu: the file ends inside its Brotli stream",
                         (unsigned long long)r->offset);
    return 0;
}

static int brotli_reader_produce(void *state, const struct trace_chunk_job *job, struct buf *scratch,
                                 struct trace_chunk *chunk)
{
    (void)job;
    (void)scratch;
    struct brotli_reader *r = state;
    int rc = trace_chunk_reserve(chunk, TRACE_CODEC_CHUNK_SIZE);
    while (rc == 0 && !r->ended && chunk->len < chunk->cap) {
        uint8_t *next_out = chunk->data + chunk->len;
        size_t avail_out = chunk->cap - chunk->len;
        BrotliDecoderResult result =
            BrotliDecoderDecompressStream(r->decoder, &r->avail_in, &r->next_in, &avail_out, &next_out, NULL);
        chunk->len = chunk->cap - avail_out;
        if (result == BROTLI_DECODER_RESULT_SUCCESS) {
            r->ended = true;
        } else if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT) {
            rc = refill(r);
            r->ended = rc != 0;
        } else if (result == BROTLI_DECODER_RESULT_ERROR) {
            r->ended = true;
            rc = error_set(ERR_FORMAT, "file offset %llu: corrupt Brotli data",
                           (unsigned long long)(r->offset - r->avail_in));
        }
    }
    return rc;
}

static void brotli_reader_close(void *state)
{
    struct brotli_reader *r = state;
    BrotliDecoderDestroyInstance(r->decoder);
    free(r);
}

/* --- writing --------------------------------------------------------------------------------------- */

struct brotli_writer {
    int fd;
    BrotliEncoderState *encoder;
    uint8_t out[1 << 16];
};

static int brotli_writer_open(void **state, int fd, int level)
{
    if (level == -1)
        level = BROTLI_MAX_QUALITY;
    if (level < BROTLI_MIN_QUALITY || level > BROTLI_MAX_QUALITY)
        return error_set(ERR_USAGE, "Brotli has no quality %d (0 to 11)", level);
    struct brotli_writer *w = calloc(1, sizeof *w);
    BrotliEncoderState *encoder = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    if (w == NULL || encoder == NULL) {
        free(w);
        BrotliEncoderDestroyInstance(encoder);
        return error_set(ERR_MEMORY, "out of memory: Brotli encoder");
    }
    BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY, (uint32_t)level);
    BrotliEncoderSetParameter(encoder, BROTLI_PARAM_LGWIN, WINDOW_BITS);
    w->fd = fd;
    w->encoder = encoder;
    *state = w;
    return 0;
}

static int run_encoder(struct brotli_writer *w, BrotliEncoderOperation op, const uint8_t *bytes, size_t count)
{
    do {
        uint8_t *next_out = w->out;
        size_t avail_out = sizeof w->out;
        if (!BrotliEncoderCompressStream(w->encoder, op, &count, &bytes, &avail_out, &next_out, NULL))
            return error_set(ERR_MEMORY, "out of memory: Brotli encoder");
        int rc = trace_codec_write_fd(w->fd, w->out, sizeof w->out - avail_out);
        if (rc != 0)
            return rc;
    } while (count > 0 || BrotliEncoderHasMoreOutput(w->encoder));
    return 0;
}

static int brotli_writer_write(void *state, const uint8_t *bytes, size_t count)
{
    return run_encoder(state, BROTLI_OPERATION_PROCESS, bytes, count);
}

static int brotli_writer_flush(void *state)
{
    return run_encoder(state, BROTLI_OPERATION_FLUSH, NULL, 0);
}

static int brotli_writer_close(void *state)
{
    struct brotli_writer *w = state;
    int rc = run_encoder(w, BROTLI_OPERATION_FINISH, NULL, 0);
    BrotliEncoderDestroyInstance(w->encoder);
    free(w);
    return rc;
}

const struct trace_codec trace_codec_brotli = {
    .name = "Brotli",
    .independent = false,
    .matches = brotli_matches,
    .reader_open = brotli_reader_open,
    .reader_claim = brotli_reader_claim,
    .reader_produce = brotli_reader_produce,
    .reader_close = brotli_reader_close,
    .writer_open = brotli_writer_open,
    .writer_write = brotli_writer_write,
    .writer_flush = brotli_writer_flush,
    .writer_close = brotli_writer_close,
};
