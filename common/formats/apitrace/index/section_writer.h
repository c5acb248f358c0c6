/* SPDX-License-Identifier: MIT
 * Collects the bytes of a section of the index and compresses them block by block. Large sections are written
 * to an unlinked temporary file, so that memory is bounded. Private to the writer of the index.
 */
#ifndef TRACE_SECTION_WRITER_H
#define TRACE_SECTION_WRITER_H

#include "base/buf.h"
#include "base/varint.h"
#include "formats/apitrace/container/index_bytes.h"
#include "formats/apitrace/index/index_format.h"

/* A compressor that the sections share which one thread writes, because its memory is expensive to allocate.
 * Zero-initialise it before use. */
struct trace_section_compressor {
    void *context;
};
void trace_section_compressor_fini(struct trace_section_compressor *p);

struct trace_section_writer {
    struct trace_section_compressor *compressor; /* lent */
    uint64_t raw_size;
    uint64_t stored_size; /* size of the compressed blocks in bytes */
    uint8_t *block;       /* the current block, TRACE_BLOCK_SIZE bytes; NULL before the first byte */
    size_t block_len;
    size_t columns;    /* number of columns of a table; 0: the section is bytes */
    struct buf stored; /* compressed blocks that follow those in the spill file */
    struct buf index;  /* one entry for each block */
    int spill;         /* file descriptor of the temporary file, or -1 */
};

void trace_section_writer_init(struct trace_section_writer *w, struct trace_section_compressor *compressor);
void trace_section_writer_fini(struct trace_section_writer *w);

int trace_section_append(struct trace_section_writer *w, const void *bytes, size_t count);
/* Appends value as a varint. Inline, because there is one for each event. */
static inline int trace_section_append_varint(struct trace_section_writer *w, uint64_t value)
{
    uint8_t bytes[VARINT_MAX_BYTES];
    if (w->block == NULL || TRACE_BLOCK_SIZE - w->block_len <= VARINT_MAX_BYTES)
        return trace_section_append(w, bytes, varint_put(bytes, value));
    size_t size = varint_put(w->block + w->block_len, value);
    w->block_len += size;
    w->raw_size += size;
    return 0;
}

/* Returns where to write up to count bytes, or NULL if they might not fit into the current block.
 * trace_section_note() then tells how many were written. */
static inline uint8_t *trace_section_room(struct trace_section_writer *w, size_t count)
{
    return w->block != NULL && TRACE_BLOCK_SIZE - w->block_len > count ? w->block + w->block_len : NULL;
}

static inline void trace_section_note(struct trace_section_writer *w, size_t count)
{
    w->block_len += count;
    w->raw_size += count;
}

/* Appends a row of a table. All rows have count columns. */
int trace_section_append_numbers(struct trace_section_writer *w, const uint64_t *numbers, size_t count);

/* Completes the section. Then its size is known and it can be written. */
int trace_section_finish(struct trace_section_writer *w);
uint64_t trace_section_size(const struct trace_section_writer *w);
int trace_section_write(const struct trace_section_writer *w, struct trace_index_sink *sink);

#endif
