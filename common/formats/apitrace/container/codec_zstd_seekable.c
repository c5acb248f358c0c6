/* SPDX-License-Identifier: MIT
 * Seekable Zstandard: independent frames, then a skippable frame with the table of their sizes
 * (docs/trace-format.md describes the layout). If the table does not match the file, the file is read as an
 * ordinary stream.
 */
#include "formats/apitrace/container/codec_zstd.h"

#include "formats/apitrace/container/codec.h"

#include "base/error.h"
#include "base/little_endian.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#define FRAME_SIZE ((size_t)2 << 20) /* uncompressed size; the same as in apitrace's writer */
/* Files with larger frames are read as a stream, which does not need memory for a whole frame. */
#define MAX_FRAME_SIZE     ((size_t)16 << 20)
#define TABLE_MAGIC        0x184d2a5eu
#define FOOTER_MAGIC       0x8f92eab1u
#define HEADER_SIZE        8 /* magic number, size of what follows */
#define FOOTER_SIZE        9 /* number of frames, descriptor, magic number */
#define CHECKED_ENTRY_SIZE 12
#define HAS_CHECKSUMS      0x80
#define RESERVED_BITS      0x7c /* of the descriptor */

/* --- reading --------------------------------------------------------------------------------------- */

/* The position of the table, and the contents of its footer. */
struct seek_table {
    uint64_t offset; /* file offset of its first entry */
    uint32_t count;
    uint32_t entry_size;
    bool checksums;
};

static bool read_exactly(struct trace_file *f, uint64_t offset, void *bytes, size_t count)
{
    size_t got = 0;
    return trace_file_read_at(f, offset, bytes, count, &got) == 0 && got == count;
}

static bool find_table(struct trace_file *f, struct seek_table *t)
{
    uint8_t footer[FOOTER_SIZE];
    uint8_t header[HEADER_SIZE];
    if (f->is_pipe || f->size < HEADER_SIZE + FOOTER_SIZE ||
        !read_exactly(f, f->size - FOOTER_SIZE, footer, sizeof footer))
        return false;
    if (get_u32(footer + 5) != FOOTER_MAGIC || (footer[4] & RESERVED_BITS) != 0)
        return false;
    t->count = get_u32(footer);
    t->checksums = (footer[4] & HAS_CHECKSUMS) != 0;
    t->entry_size = t->checksums ? 12 : 8;
    uint64_t size = (uint64_t)t->count * t->entry_size + FOOTER_SIZE;
    if (f->size - HEADER_SIZE < size || !read_exactly(f, f->size - size - HEADER_SIZE, header, sizeof header))
        return false;
    t->offset = f->size - size;
    return get_u32(header) == TABLE_MAGIC && get_u32(header + 4) == size;
}

/* The frames must fill the file up to the table, and must be small enough to be decompressed as a whole. */
static bool is_table_sound(struct trace_file *f, const struct seek_table *t)
{
    uint8_t block[12 * 512];
    uint64_t sum = 0;
    const uint32_t step = sizeof block / t->entry_size;
    for (uint32_t i = 0; i < t->count; i += step) {
        uint32_t n = t->count - i < step ? t->count - i : step;
        if (!read_exactly(f, t->offset + (uint64_t)i * t->entry_size, block, (size_t)n * t->entry_size))
            return false;
        for (uint32_t k = 0; k < n; ++k) {
            sum += get_u32(block + k * t->entry_size);
            if (get_u32(block + k * t->entry_size + 4) > MAX_FRAME_SIZE)
                return false;
        }
        if (t->count - i <= step)
            break;
    }
    return sum == t->offset - HEADER_SIZE;
}

static enum trace_codec_bid seekable_bid(struct trace_file *f, const uint8_t *head, size_t count)
{
    struct seek_table table;
    if (trace_codec_zstd.bid(f, head, count) == TRACE_CODEC_BID_NONE || !find_table(f, &table) ||
        !is_table_sound(f, &table))
        return TRACE_CODEC_BID_NONE;
    return TRACE_CODEC_BID_MARKS;
}

struct seekable_reader {
    struct trace_file *file;
    struct seek_table table;
    uint32_t next;        /* index of the next frame */
    uint64_t next_offset; /* file offset of its compressed bytes */
};

static int seekable_reader_open(void **state, struct trace_file *f)
{
    struct seekable_reader *r = calloc(1, sizeof *r);
    if (r == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    r->file = f;
    if (!find_table(f, &r->table)) {
        free(r);
        return trace_error_set(TRACE_ERR_FORMAT, "the file changed while it was opened");
    }
    *state = r;
    return 0;
}

static int read_entry(struct seekable_reader *r, uint64_t frame, uint8_t entry[12])
{
    if (read_exactly(r->file, r->table.offset + frame * r->table.entry_size, entry, r->table.entry_size))
        return 0;
    return trace_error_set(TRACE_ERR_TRUNCATED, "the seek table was cut off while it was read");
}

static int seekable_reader_claim(void *state, struct trace_chunk_job *job)
{
    struct seekable_reader *r = state;
    uint8_t entry[12];
    if (r->next == r->table.count)
        return 0;
    int rc = read_entry(r, r->next, entry);
    if (rc != 0)
        return rc;
    uint32_t length = get_u32(entry);
    *job = (struct trace_chunk_job){
        .number = r->next++, .file_offset = r->next_offset, .length = length, .claimed = length};
    r->next_offset += length;
    return 1;
}

static int corrupt(const struct trace_chunk_job *job, const char *why)
{
    return trace_error_set(TRACE_ERR_FORMAT, "chunk %llu at file offset %llu: corrupt Zstandard data: %s",
                           (unsigned long long)job->number, (unsigned long long)job->file_offset, why);
}

static int seekable_reader_produce(void *state, const struct trace_chunk_job *job, struct buf *scratch,
                                   struct trace_chunk *chunk)
{
    struct seekable_reader *r = state;
    uint8_t entry[12];
    int rc = read_entry(r, job->number, entry);
    size_t size = get_u32(entry + 4);
    buf_clear(scratch);
    if (rc != 0 || size == 0)
        return rc; /* an index */
    rc = trace_file_read_all(r->file, job->file_offset, job->length, scratch);
    if (rc == 0 && size > MAX_FRAME_SIZE)
        rc = corrupt(job, "the seek table has changed");
    if (rc == 0)
        rc = trace_chunk_reserve(chunk, size);
    if (rc != 0)
        return rc;
    size_t got = ZSTD_decompress(chunk->data, size, scratch->data, scratch->len);
    if (ZSTD_isError(got))
        return corrupt(job, ZSTD_getErrorName(got));
    if (got != size)
        return corrupt(job, "not as many bytes as the seek table says");
    if (r->table.checksums && (uint32_t)XXH64(chunk->data, size, 0) != get_u32(entry + 8))
        return corrupt(job, "wrong checksum");
    chunk->len = size;
    return 0;
}

static int seekable_reader_seek(void *state, uint64_t number, uint64_t file_offset)
{
    struct seekable_reader *r = state;
    if (number >= r->table.count)
        return trace_error_set(TRACE_ERR_FORMAT, "there is no frame %llu", (unsigned long long)number);
    r->next = (uint32_t)number;
    r->next_offset = file_offset;
    return 0;
}

/* Returns the end of the table, because more can be appended there. */
static uint64_t seekable_reader_end(void *state)
{
    return ((struct seekable_reader *)state)->file->size;
}

static uint64_t seekable_index_end(void *state)
{
    return ((struct seekable_reader *)state)->table.offset - HEADER_SIZE;
}

static void seekable_reader_close(void *state)
{
    free(state);
}

/* --- writing --------------------------------------------------------------------------------------- */

struct frame_compressor {
    int level;
    ZSTD_CCtx *context;
};

static size_t frame_compressed_max(void)
{
    return ZSTD_compressBound(FRAME_SIZE);
}

static int frame_open(void **compressor, int level)
{
    struct frame_compressor *c = malloc(sizeof *c);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (c == NULL || context == NULL) {
        free(c);
        ZSTD_freeCCtx(context);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: Zstandard encoder");
    }
    *c = (struct frame_compressor){level, context};
    *compressor = c;
    return 0;
}

static int frame_compress(void *compressor, struct trace_block *block)
{
    struct frame_compressor *c = compressor;
    block->length = ZSTD_compressCCtx(c->context, block->compressed, frame_compressed_max(), block->bytes,
                                      block->size, c->level);
    if (ZSTD_isError(block->length))
        return trace_error_set(TRACE_ERR_MEMORY, "Zstandard compression failed: %s",
                               ZSTD_getErrorName(block->length));
    block->content_checksum = (uint32_t)XXH64(block->bytes, block->size, 0);
    return 0;
}

static void frame_close(void *compressor)
{
    struct frame_compressor *c = compressor;
    ZSTD_freeCCtx(c->context);
    free(c);
}

/* Appends the seek table. */
static int append_table(const struct trace_chunk_list *chunks, struct buf *out)
{
    size_t size = chunks->count * CHECKED_ENTRY_SIZE + FOOTER_SIZE;
    if (chunks->count > UINT32_MAX / CHECKED_ENTRY_SIZE - 1)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "too many frames for a seek table");
    if (buf_reserve(out, HEADER_SIZE + size) != 0)
        return TRACE_ERR_MEMORY;
    uint8_t *p = out->data + out->len;
    out->len += HEADER_SIZE + size;
    put_u32(p, TABLE_MAGIC);
    put_u32(p + 4, (uint32_t)size);
    p += HEADER_SIZE;
    for (size_t i = 0; i < chunks->count; ++i, p += CHECKED_ENTRY_SIZE) {
        put_u32(p, (uint32_t)chunks->entries[i].length);
        put_u32(p + 4, (uint32_t)chunks->entries[i].size);
        put_u32(p + 8, chunks->entries[i].content_checksum);
    }
    put_u32(p, (uint32_t)chunks->count);
    p[4] = HAS_CHECKSUMS;
    put_u32(p + 5, FOOTER_MAGIC);
    return 0;
}

static const struct trace_block_codec frames = {
    .block_size = FRAME_SIZE,
    .compressed_max = frame_compressed_max,
    .open = frame_open,
    .compress = frame_compress,
    .close = frame_close,
    .epilogue = append_table,
};

extern const struct trace_codec trace_codec_zstd_seekable;
const struct trace_codec trace_codec_zstd_seekable = {
    .name = "Zstandard (seekable)",
    .independent = true,
    .bid = seekable_bid,
    .reader_open = seekable_reader_open,
    .reader_claim = seekable_reader_claim,
    .reader_produce = seekable_reader_produce,
    .reader_close = seekable_reader_close,
    .reader_seek = seekable_reader_seek,
    .reader_end = seekable_reader_end,
    .index_end = seekable_index_end,
    .blocks = &frames,
    .before_index = trace_codec_zstd_append_skippable,
};
