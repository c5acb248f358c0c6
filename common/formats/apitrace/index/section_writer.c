/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/section_writer.h"

#include "base/error.h"
#include "base/little_endian.h"
#include "base/temporary_file.h"
#include "base/write_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#define SPILL_BYTES ((size_t)4 << 20) /* bytes that are kept in memory */
#define LEVEL       1                 /* of Zstandard; `trace` has no time for a higher one */

void trace_section_compressor_fini(struct trace_section_compressor *p)
{
    ZSTD_freeCCtx(p->context);
    p->context = NULL;
}

void trace_section_writer_init(struct trace_section_writer *w, struct trace_section_compressor *compressor)
{
    *w = (struct trace_section_writer){.compressor = compressor, .spill = -1};
}

void trace_section_writer_fini(struct trace_section_writer *w)
{
    free(w->block);
    buf_fini(&w->stored);
    buf_fini(&w->index);
    if (w->spill >= 0)
        close(w->spill);
    trace_section_writer_init(w, w->compressor);
}

static int spill(struct trace_section_writer *w)
{
    int rc = w->spill < 0 ? temporary_file_open(&w->spill) : 0;
    if (rc != 0)
        return rc;
    rc = write_all(w->spill, w->stored.data, w->stored.len);
    buf_clear(&w->stored);
    return rc == 0 ? 0 : trace_error_prefix(rc, "temporary file of the index");
}

/* Values that grow by about the same amount from row to row become small and similar. */
static void subtract_rows(struct trace_section_writer *w)
{
    for (size_t i = w->block_len / 8; w->columns > 0 && i-- > w->columns;) {
        uint8_t *p = w->block + 8 * i;
        put_u64(p, get_u64(p) - get_u64(p - 8 * w->columns));
    }
}

/* A block that does not shrink is stored uncompressed, which its size tells. */
static int end_block(struct trace_section_writer *w)
{
    uint8_t entry[TRACE_BLOCK_ENTRY_SIZE];
    size_t room = ZSTD_compressBound(w->block_len);
    if (w->block_len == 0)
        return 0;
    if (buf_reserve(&w->stored, room) != 0)
        return TRACE_ERR_MEMORY;
    if (w->compressor->context == NULL && (w->compressor->context = ZSTD_createCCtx()) == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    uint8_t *out = w->stored.data + w->stored.len;
    subtract_rows(w);
    size_t size = ZSTD_compressCCtx(w->compressor->context, out, room, w->block, w->block_len, LEVEL);
    if (ZSTD_isError(size) || size >= w->block_len) {
        size = w->block_len;
        memcpy(out, w->block, size);
    }
    put_u64(entry, w->stored_size);
    put_u64(entry + 8, XXH64(out, size, 0));
    if (buf_append(&w->index, entry, sizeof entry) != 0)
        return TRACE_ERR_MEMORY;
    w->stored.len += size;
    w->stored_size += size;
    w->block_len = 0;
    return w->stored.len < SPILL_BYTES ? 0 : spill(w);
}

int trace_section_append(struct trace_section_writer *w, const void *bytes, size_t count)
{
    const uint8_t *p = bytes;
    if (w->block == NULL && (w->block = malloc(TRACE_BLOCK_SIZE)) == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    w->raw_size += count;
    while (count > 0) {
        size_t room = TRACE_BLOCK_SIZE - w->block_len;
        size_t n = count < room ? count : room;
        memcpy(w->block + w->block_len, p, n);
        w->block_len += n;
        p += n;
        count -= n;
        int rc = w->block_len == TRACE_BLOCK_SIZE ? end_block(w) : 0;
        if (rc != 0)
            return rc;
    }
    return 0;
}

int trace_section_append_numbers(struct trace_section_writer *w, const uint64_t *numbers, size_t count)
{
    uint8_t bytes[8 * TRACE_MAX_NUMBERS];
    w->columns = count;
    for (size_t i = 0; i < count; ++i)
        put_u64(bytes + 8 * i, numbers[i]);
    return trace_section_append(w, bytes, 8 * count);
}

int trace_section_finish(struct trace_section_writer *w)
{
    return end_block(w);
}

uint64_t trace_section_size(const struct trace_section_writer *w)
{
    return w->stored_size + w->index.len;
}

static int copy_spill(const struct trace_section_writer *w, struct trace_index_sink *sink)
{
    uint8_t bytes[1 << 16];
    uint64_t size = w->stored_size - w->stored.len;
    for (uint64_t at = 0; at < size;) {
        size_t want = size - at < sizeof bytes ? (size_t)(size - at) : sizeof bytes;
        ssize_t n = pread(w->spill, bytes, want, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return trace_error_set_errno(TRACE_ERR_IO, n < 0 ? errno : EIO,
                                         "temporary file of the index: cannot read");
        int rc = trace_index_sink_write(sink, bytes, (size_t)n);
        if (rc != 0)
            return rc;
        at += (uint64_t)n;
    }
    return 0;
}

int trace_section_write(const struct trace_section_writer *w, struct trace_index_sink *sink)
{
    int rc = w->spill >= 0 ? copy_spill(w, sink) : 0;
    if (rc == 0)
        rc = trace_index_sink_write(sink, w->stored.data, w->stored.len);
    return rc != 0 ? rc : trace_index_sink_write(sink, w->index.data, w->index.len);
}
