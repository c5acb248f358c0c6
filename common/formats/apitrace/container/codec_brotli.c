/* SPDX-License-Identifier: MIT
 * A Brotli stream. It has no magic number, so files that no other codec recognises are tried as Brotli.
 */
#include "formats/apitrace/container/codec.h"

#include "base/error.h"

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <stdlib.h>

#define WINDOW_BITS 24 /* the largest window of standard Brotli, since repacking is for archives */

/* At qualities 5 to 9, the encoder looks for matches of four bytes in inputs that it considers short, and of
 * five bytes in inputs above 1 MiB. Traces contain many short matches. With five bytes they become up to 5 %
 * larger and take a third more time, so the encoder is given a small size hint. */
#define FIRST_HINTED 5
#define SIZE_HINT    (1u << 16)

static enum trace_codec_bid brotli_bid(struct trace_file *f, const uint8_t *head, size_t count)
{
    (void)f;
    (void)head;
    (void)count;
    return TRACE_CODEC_BID_ANYTHING;
}

/* --- reading --------------------------------------------------------------------------------------- */

struct brotli_reader {
    struct trace_file *file;
    uint64_t offset; /* file offset of the next byte to read */
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
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    r->file = f;
    r->decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (r->decoder == NULL) {
        free(r);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: Brotli decoder");
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

/* Reads more input. The end of the file is an error, since the stream has not ended. */
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
        return trace_error_set(TRACE_ERR_TRUNCATED,
                               "file offset %llu: the file ends inside its Brotli stream",
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
        } else if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT && chunk->len < chunk->cap) {
            /* If the chunk is full, the decoder may still have output, which must be read before an error is
             * reported. */
            rc = refill(r);
            r->ended = rc != 0;
        } else if (result == BROTLI_DECODER_RESULT_ERROR) {
            r->ended = true;
            rc = trace_error_set(TRACE_ERR_FORMAT, "file offset %llu: corrupt Brotli data",
                                 (unsigned long long)(r->offset - r->avail_in));
        }
    }
    return rc;
}

static int brotli_reader_seek(void *state, uint64_t number, uint64_t file_offset)
{
    struct brotli_reader *r = state;
    BrotliDecoderState *decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (decoder == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: Brotli decoder");
    BrotliDecoderDestroyInstance(r->decoder);
    r->decoder = decoder;
    r->chunks = number;
    r->offset = file_offset;
    r->avail_in = 0;
    r->ended = false;
    return 0;
}

static uint64_t brotli_reader_end(void *state)
{
    const struct brotli_reader *r = state;
    return r->offset - r->avail_in;
}

static void brotli_reader_close(void *state)
{
    struct brotli_reader *r = state;
    BrotliDecoderDestroyInstance(r->decoder);
    free(r);
}

/* --- writing --------------------------------------------------------------------------------------- */

static int brotli_open(void **state, int level)
{
    BrotliEncoderState *encoder = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    if (encoder == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: Brotli encoder");
    BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY, (uint32_t)level);
    BrotliEncoderSetParameter(encoder, BROTLI_PARAM_LGWIN, WINDOW_BITS);
    if (level >= FIRST_HINTED)
        BrotliEncoderSetParameter(encoder, BROTLI_PARAM_SIZE_HINT, SIZE_HINT);
    *state = encoder;
    return 0;
}

static int brotli_encode(void *state, enum trace_stream_step step, const uint8_t *bytes, size_t count,
                         struct buf *out)
{
    static const BrotliEncoderOperation operations[] = {[TRACE_STREAM_MORE] = BROTLI_OPERATION_PROCESS,
                                                        [TRACE_STREAM_FLUSH] = BROTLI_OPERATION_FLUSH,
                                                        [TRACE_STREAM_END] = BROTLI_OPERATION_FINISH};
    do {
        size_t none = 0;
        size_t size = 0;
        if (!BrotliEncoderCompressStream(state, operations[step], &count, &bytes, &none, NULL, NULL))
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory: Brotli encoder");
        const uint8_t *compressed = BrotliEncoderTakeOutput(state, &size);
        if (buf_append(out, compressed, size) != 0)
            return TRACE_ERR_MEMORY;
    } while (count > 0 || BrotliEncoderHasMoreOutput(state));
    return 0;
}

static void brotli_close(void *state)
{
    BrotliEncoderDestroyInstance(state);
}

static const struct trace_stream_codec brotli_stream = {
    .open = brotli_open,
    .encode = brotli_encode,
    .close = brotli_close,
};

extern const struct trace_codec trace_codec_brotli;
const struct trace_codec trace_codec_brotli = {
    .name = "Brotli",
    .independent = false,
    .bid = brotli_bid,
    .reader_open = brotli_reader_open,
    .reader_claim = brotli_reader_claim,
    .reader_produce = brotli_reader_produce,
    .reader_close = brotli_reader_close,
    .reader_seek = brotli_reader_seek,
    .reader_end = brotli_reader_end,
    .stream = &brotli_stream,
};
