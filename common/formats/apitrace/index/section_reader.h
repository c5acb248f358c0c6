/* SPDX-License-Identifier: MIT
 * A section of an index, read anywhere in it. Takes memory for one block, and trusts no number of the file.
 * Private to index_reader.c.
 */
#ifndef TRACE_SECTION_READER_H
#define TRACE_SECTION_READER_H

#include "formats/apitrace/container/index_bytes.h"

struct trace_section_reader {
    uint64_t offset;      /* in the index */
    uint64_t stored_size; /* there */
    uint64_t raw_size;    /* of what it holds; 0: there is no such section */
    size_t columns;       /* of a table of numbers; 0: bytes */
    uint64_t cached;      /* 1 + the block that is in memory; 0: none */
    uint8_t *block;
};

/* The sizes are those of the directory. columns: of a table of numbers, or 0. TRACE_ERR_FORMAT: the sizes
 * cannot be. Zero is a valid state for _fini. */
int trace_section_reader_init(struct trace_section_reader *s, uint64_t offset, uint64_t stored_size,
                              uint64_t raw_size, size_t columns);
void trace_section_reader_fini(struct trace_section_reader *s);

/* Reads count bytes at byte `at` of what the section holds. TRACE_ERR_FORMAT: it is damaged, or has no such
 * bytes.
 */
int trace_section_read(struct trace_section_reader *s, const struct trace_index_bytes *t, uint64_t at,
                       void *bytes, size_t count);

/* Reads record `index` of a table: so many 64-bit numbers. */
int trace_section_read_numbers(struct trace_section_reader *s, const struct trace_index_bytes *t,
                               uint64_t index, uint64_t *numbers, size_t count);

#endif
