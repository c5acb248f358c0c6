/* SPDX-License-Identifier: MIT
 * Collects the bytes of a section of the index, compressed block by block. Beyond a limit they go to an
 * unlinked temporary file, so that memory stays bounded. Private to the writing side of the index.
 */
#ifndef TRACE_SECTION_WRITER_H
#define TRACE_SECTION_WRITER_H

#include "base/buf.h"
#include "base/varint.h"
#include "formats/apitrace/container/index_bytes.h"
#include "formats/apitrace/index/index_format.h"

/* What compresses the blocks of all sections that one thread writes at a time: its memory is not cheap to
 * get. Zero-initialise. */
struct trace_section_compressor {
    void *context;
};
void trace_section_compressor_fini(struct trace_section_compressor *p);

struct trace_section_writer {
    struct trace_section_compressor *compressor; /* lent */
    uint64_t raw_size;
    uint64_t stored_size; /* of the blocks that are compressed */
    uint8_t *block;       /* TRACE_BLOCK_SIZE bytes, the last of them; NULL before there are any */
    size_t block_len;
    size_t columns;    /* of a table of numbers; 0: bytes */
    struct buf stored; /* compressed blocks, those behind what is in the spill file */
    struct buf index;  /* an entry a block */
    int spill;         /* file descriptor, or -1 */
};

void trace_section_writer_init(struct trace_section_writer *w, struct trace_section_compressor *compressor);
void trace_section_writer_fini(struct trace_section_writer *w);

int trace_section_append(struct trace_section_writer *w, const void *bytes, size_t count);
/* Appends the varint of value; quick, since there is one for each event. */
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

/* Appends a row of a table of which all rows have count columns. */
int trace_section_append_numbers(struct trace_section_writer *w, const uint64_t *numbers, size_t count);

/* After the last byte; then the size is known, and the section can be written. */
int trace_section_finish(struct trace_section_writer *w);
uint64_t trace_section_size(const struct trace_section_writer *w);
int trace_section_write(const struct trace_section_writer *w, struct trace_index_sink *sink);

#endif
