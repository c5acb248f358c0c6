/* SPDX-License-Identifier: MIT
 * Stored chunks, as an example of a container (docs/HOWTO-add-a-codec.md): the magic number, then for each
 * chunk its length (32 bits, little-endian) and its bytes of the stream, uncompressed. A length of 0 ends the
 * stream.
 */
#include "formats/apitrace/container/codec.h"

#include "base/error.h"
#include "base/little_endian.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE  ((size_t)1 << 20)
#define LENGTH_SIZE 4

static const uint8_t mark[] = {'S', 'T', 'O', 'R'};

static enum trace_codec_bid stored_bid(struct trace_file *f, const uint8_t *head, size_t count)
{
    (void)f;
    return count >= sizeof mark && memcmp(head, mark, sizeof mark) == 0 ? TRACE_CODEC_BID_MARK
                                                                        : TRACE_CODEC_BID_NONE;
}

/* --- reading --------------------------------------------------------------------------------------- */

struct stored_reader {
    struct trace_file *file;
    uint64_t next_offset; /* file offset of the next length */
    uint64_t next_number;
};

static int stored_reader_open(void **state, struct trace_file *f)
{
    struct stored_reader *r = calloc(1, sizeof *r);
    if (r == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    r->file = f;
    r->next_offset = sizeof mark;
    *state = r;
    return 0;
}

static int stored_reader_claim(void *state, struct trace_chunk_job *job)
{
    struct stored_reader *r = state;
    uint8_t field[LENGTH_SIZE];
    size_t got;
    int rc = trace_file_read_at(r->file, r->next_offset, field, sizeof field, &got);
    if (rc != 0 || got == 0)
        return rc;
    if (got < sizeof field)
        return trace_error_set(TRACE_ERR_TRUNCATED, "the file ends inside the length of chunk %llu",
                               (unsigned long long)r->next_number);
    uint32_t length = get_u32(field);
    if (length == 0)
        return 0;
    uint64_t offset = r->next_offset + LENGTH_SIZE;
    *job = (struct trace_chunk_job){
        .number = r->next_number++, .file_offset = offset, .length = length, .claimed = length};
    r->next_offset = offset + length;
    return 1;
}

/* Memory is allocated for the bytes that exist, whatever length the chunk claims. */
static int stored_reader_produce(void *state, const struct trace_chunk_job *job, struct buf *scratch,
                                 struct trace_chunk *chunk)
{
    struct stored_reader *r = state;
    int rc = trace_file_read_all(r->file, job->file_offset, job->length, scratch);
    if (rc == 0)
        rc = trace_chunk_reserve(chunk, scratch->len);
    if (rc != 0)
        return rc;
    if (scratch->len > 0)
        memcpy(chunk->data, scratch->data, scratch->len);
    chunk->len = scratch->len;
    if (scratch->len == job->claimed)
        return 0;
    return trace_error_set(TRACE_ERR_TRUNCATED, "chunk %llu at file offset %llu is cut off",
                           (unsigned long long)job->number, (unsigned long long)job->file_offset);
}

static int stored_reader_seek(void *state, uint64_t number, uint64_t file_offset)
{
    struct stored_reader *r = state;
    if (file_offset < sizeof mark + LENGTH_SIZE)
        return trace_error_set(TRACE_ERR_FORMAT, "there is no chunk at file offset %llu",
                               (unsigned long long)file_offset);
    r->next_offset = file_offset - LENGTH_SIZE;
    r->next_number = number;
    return 0;
}

static uint64_t stored_reader_end(void *state)
{
    return ((struct stored_reader *)state)->next_offset;
}

static void stored_reader_close(void *state)
{
    free(state);
}

/* --- writing --------------------------------------------------------------------------------------- */

static size_t stored_max(void)
{
    return LENGTH_SIZE + CHUNK_SIZE;
}

static int stored_open(void **compressor, int level)
{
    (void)level;
    *compressor = NULL;
    return 0;
}

static int stored_compress(void *compressor, struct trace_block *block)
{
    (void)compressor;
    put_u32(block->compressed, (uint32_t)block->size);
    memcpy(block->compressed + LENGTH_SIZE, block->bytes, block->size);
    block->length = LENGTH_SIZE + block->size;
    return 0;
}

static void stored_close(void *compressor)
{
    (void)compressor;
}

static int stored_before_index(uint64_t size, struct buf *out)
{
    static const uint8_t zero[LENGTH_SIZE];
    (void)size;
    return buf_append(out, zero, sizeof zero) == 0 ? 0 : TRACE_ERR_MEMORY;
}

static const struct trace_block_codec stored_blocks = {
    .alone = 4,
    .block_size = CHUNK_SIZE,
    .prologue = mark,
    .prologue_size = sizeof mark,
    .header_size = LENGTH_SIZE,
    .compressed_max = stored_max,
    .open = stored_open,
    .compress = stored_compress,
    .close = stored_close,
};

extern const struct trace_codec trace_codec_stored;
const struct trace_codec trace_codec_stored = {
    .name = "Stored",
    .independent = true,
    .bid = stored_bid,
    .reader_open = stored_reader_open,
    .reader_claim = stored_reader_claim,
    .reader_produce = stored_reader_produce,
    .reader_close = stored_reader_close,
    .reader_seek = stored_reader_seek,
    .reader_end = stored_reader_end,
    .blocks = &stored_blocks,
    .before_index = stored_before_index,
};
