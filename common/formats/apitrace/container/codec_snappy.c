/* SPDX-License-Identifier: MIT
 * Snappy chunks: "at", then for each chunk its compressed length (32 bits, little-endian) and a raw Snappy
 * block.
 */
#include "formats/apitrace/container/codec.h"

#include "base/error.h"
#include "base/little_endian.h"
#include "base/varint.h"
#include "formats/apitrace/container/snappy_compress.h"
#include "formats/apitrace/container/snappy_decompress.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE    ((size_t)1 << 20) /* uncompressed size; the same as in apitrace's writer */
#define HEADER_SIZE   2
#define LENGTH_SIZE   4
#define END_LENGTHS   64
#define MAX_EXPANSION 64 /* highest expansion of a Snappy block: its densest element is 64 bytes in 3 */

static const uint8_t magic[HEADER_SIZE] = {'a', 't'};

static enum trace_codec_bid snappy_bid(struct trace_file *f, const uint8_t *head, size_t count)
{
    (void)f;
    return count >= HEADER_SIZE && memcmp(head, magic, HEADER_SIZE) == 0 ? TRACE_CODEC_BID_MARK
                                                                         : TRACE_CODEC_BID_NONE;
}

/* --- reading --------------------------------------------------------------------------------------- */

struct snappy_reader {
    struct trace_file *file;
    uint64_t next_offset; /* file offset of the next length field */
    uint64_t next_number;
};

static int snappy_reader_open(void **state, struct trace_file *f)
{
    struct snappy_reader *r = calloc(1, sizeof *r);
    if (r == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    r->file = f;
    r->next_offset = HEADER_SIZE;
    *state = r;
    return 0;
}

static int snappy_reader_claim(void *state, struct trace_chunk_job *job)
{
    struct snappy_reader *r = state;
    uint8_t field[LENGTH_SIZE];
    size_t got = 0;
    int rc = trace_file_read_at(r->file, r->next_offset, field, sizeof field, &got);
    if (rc != 0)
        return rc;
    if (got == 0)
        return 0;
    if (got < sizeof field)
        return trace_error_set(TRACE_ERR_TRUNCATED,
                               "chunk %llu at file offset %llu: the file ends inside the chunk's length",
                               (unsigned long long)r->next_number, (unsigned long long)r->next_offset);
    uint32_t length =
        (uint32_t)field[0] | (uint32_t)field[1] << 8 | (uint32_t)field[2] << 16 | (uint32_t)field[3] << 24;
    if (length == 0)
        return 0; /* the end of the stream; an index may follow */
    uint64_t data = r->next_offset + LENGTH_SIZE;
    uint64_t rest = r->file->size > data ? r->file->size - data : 0; /* huge for a pipe */
    *job = (struct trace_chunk_job){
        .number = r->next_number++,
        .file_offset = data,
        .length = length < rest ? length : rest,
        .claimed = length,
    };
    r->next_offset = data + length;
    return 1;
}

/* Returns true if a chunk cannot have this length, because no Snappy block with this much data compresses to
 * as many bytes. */
static bool claims_too_much(const struct trace_chunk_job *job, const struct buf *bytes)
{
    size_t size;
    return trace_snappy_size(bytes->data, bytes->len, &size) && job->claimed > trace_snappy_bound(size);
}

/* The file ends inside the chunk. Decompresses as much of it as possible. */
static int salvage(const struct trace_chunk_job *job, const struct buf *bytes, struct trace_chunk *chunk)
{
    bool whole;
    if (claims_too_much(job, bytes))
        return trace_error_set(TRACE_ERR_FORMAT,
                               "chunk %llu at file offset %llu: its length of %llu bytes is impossible",
                               (unsigned long long)job->number, (unsigned long long)job->file_offset,
                               (unsigned long long)job->claimed);
    if (bytes->len > 0 && trace_chunk_reserve(chunk, bytes->len * MAX_EXPANSION) == 0)
        chunk->len = trace_snappy_decompress(bytes->data, bytes->len, chunk->data, chunk->cap, &whole);
    return trace_error_set(TRACE_ERR_TRUNCATED,
                           "chunk %llu at file offset %llu is cut off: the file has %llu of its %llu bytes",
                           (unsigned long long)job->number, (unsigned long long)job->file_offset,
                           (unsigned long long)bytes->len, (unsigned long long)job->claimed);
}

static int corrupt(const struct trace_chunk_job *job)
{
    return trace_error_set(TRACE_ERR_FORMAT, "chunk %llu at file offset %llu: corrupt Snappy data",
                           (unsigned long long)job->number, (unsigned long long)job->file_offset);
}

static bool get_size(const uint8_t *bytes, size_t count, size_t *size)
{
    return trace_snappy_size(bytes, count, size) && *size / MAX_EXPANSION <= count;
}

static int decompress(const struct trace_chunk_job *job, const uint8_t *bytes, size_t count, size_t size,
                      struct trace_chunk *chunk)
{
    bool whole;
    size = trace_snappy_decompress(bytes, count, chunk->data, size, &whole);
    if (!whole)
        return corrupt(job);
    chunk->len = size;
    return 0;
}

/* Reads the compressed bytes to the end of the chunk's memory if there is room for both them and the
 * decompressed bytes. */
static bool read_at_end(const struct snappy_reader *r, const struct trace_chunk_job *job,
                        struct trace_chunk *chunk, size_t *size)
{
    size_t count = (size_t)job->length, got;
    if (r->file->is_pipe || job->length != job->claimed || chunk->cap < CHUNK_SIZE + job->length)
        return false;
    uint8_t *at = chunk->data + chunk->cap - count;
    if (trace_file_read_at(r->file, job->file_offset, at, count, &got) != 0 || got != count ||
        !get_size(at, count, size) || *size > chunk->cap - count)
        return false;
    chunk->read_at_end = count;
    return true;
}

static int snappy_reader_produce(void *state, const struct trace_chunk_job *job, struct buf *scratch,
                                 struct trace_chunk *chunk)
{
    struct snappy_reader *r = state;
    size_t size = 0;
    if (read_at_end(r, job, chunk, &size)) {
        size_t count;
        const uint8_t *bytes = trace_chunk_compressed(chunk, &count);
        return decompress(job, bytes, count, size, chunk);
    }
    int rc = trace_file_read_all(r->file, job->file_offset, job->length, scratch);
    if (rc != 0)
        return rc;
    if (scratch->len != job->claimed)
        return salvage(job, scratch, chunk);
    if (!get_size(scratch->data, scratch->len, &size))
        return corrupt(job);
    rc = trace_chunk_reserve(chunk, size);
    return rc != 0 ? rc : decompress(job, scratch->data, scratch->len, size, chunk);
}

static int snappy_reader_seek(void *state, uint64_t number, uint64_t file_offset)
{
    struct snappy_reader *r = state;
    if (file_offset < HEADER_SIZE + LENGTH_SIZE)
        return trace_error_set(TRACE_ERR_FORMAT, "there is no chunk at file offset %llu",
                               (unsigned long long)file_offset);
    r->next_offset = file_offset - LENGTH_SIZE;
    r->next_number = number;
    return 0;
}

static uint64_t snappy_reader_end(void *state)
{
    return ((struct snappy_reader *)state)->next_offset;
}

static void snappy_reader_close(void *state)
{
    free(state);
}

/* --- writing --------------------------------------------------------------------------------------- */

static size_t snappy_compressed_max(void)
{
    return LENGTH_SIZE + trace_snappy_bound(CHUNK_SIZE);
}

/* Snappy has no state. Its only level stands for no compression. */
static int snappy_open(void **compressor, int level)
{
    static char literal;
    *compressor = level == TRACE_LEVEL_ZERO ? &literal : NULL;
    return 0;
}

static void put_length(struct trace_block *block, size_t length)
{
    for (unsigned i = 0; i < LENGTH_SIZE; ++i)
        block->compressed[i] = (uint8_t)(length >> (8 * i));
    block->length = LENGTH_SIZE + length;
}

static void snappy_adopt(struct trace_block *block, const uint8_t *compressed, size_t count)
{
    block->adopted = compressed;
    put_length(block, count);
}

#define LITERAL_OF_4_BYTES (63 << 2) /* an element: a literal with its length, less 1, in 4 bytes */

/* Stores the bytes as they are: the size of all, and one literal. */
static void store_literal(struct trace_block *block)
{
    uint8_t *out = block->compressed + LENGTH_SIZE;
    size_t n = varint_put(out, block->size);
    if (block->size > 0) {
        out[n] = LITERAL_OF_4_BYTES;
        put_u32(out + n + 1, (uint32_t)(block->size - 1));
        memcpy(out + n + 5, block->bytes, block->size);
        n += 5 + block->size;
    }
    put_length(block, n);
}

static int snappy_compress_chunk(void *compressor, struct trace_block *block)
{
    if (compressor != NULL) {
        store_literal(block);
        return 0;
    }
    put_length(block, trace_snappy_compress(block->bytes, block->size, block->compressed + LENGTH_SIZE));
    return 0;
}

static void snappy_close(void *compressor)
{
    (void)compressor;
}

/* Chunks of length 0 end the stream. When apitrace needs more bytes, it reads the next length. It does so
 * twice after the last event, and more often if that event is cut off. */
static int append_end(uint64_t size, struct buf *out)
{
    static const uint8_t zeros[END_LENGTHS * LENGTH_SIZE];
    (void)size;
    return buf_append(out, zeros, sizeof zeros) != 0 ? TRACE_ERR_MEMORY : 0;
}

static const struct trace_block_codec snappy_blocks = {
    .alone = 4,
    .block_size = CHUNK_SIZE,
    .prologue = magic,
    .prologue_size = HEADER_SIZE,
    .header_size = LENGTH_SIZE,
    .compressed_max = snappy_compressed_max,
    .open = snappy_open,
    .compress = snappy_compress_chunk,
    .close = snappy_close,
    .adopt = snappy_adopt,
};

extern const struct trace_codec trace_codec_snappy;
const struct trace_codec trace_codec_snappy = {
    .name = "Snappy",
    .independent = true,
    .bid = snappy_bid,
    .reader_open = snappy_reader_open,
    .reader_claim = snappy_reader_claim,
    .reader_produce = snappy_reader_produce,
    .reader_close = snappy_reader_close,
    .reader_seek = snappy_reader_seek,
    .reader_end = snappy_reader_end,
    .blocks = &snappy_blocks,
    .before_index = append_end,
};
