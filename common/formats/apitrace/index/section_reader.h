/* SPDX-License-Identifier: MIT
 * Reads a section of an index at any position. Holds one block in memory, and checks every number from the
 * file. Private to index_reader.c.
 */
#ifndef TRACE_SECTION_READER_H
#define TRACE_SECTION_READER_H

#include "formats/apitrace/container/index_bytes.h"

struct trace_section_reader {
    uint64_t offset;      /* offset in the index */
    uint64_t stored_size; /* size in the index */
    uint64_t raw_size;    /* size of the contents; 0: the section does not exist */
    size_t columns;       /* number of columns of a table; 0: the section is bytes */
    uint64_t cached;      /* index of the block in memory, plus 1; 0: none */
    uint8_t *block;
};

/* Initialises a section with the sizes from the directory. columns: number of columns of a table, or 0. A
 * zeroed struct is valid for _fini. Errors: TRACE_ERR_FORMAT if the sizes are impossible. */
int trace_section_reader_init(struct trace_section_reader *s, uint64_t offset, uint64_t stored_size,
                              uint64_t raw_size, size_t columns);
void trace_section_reader_fini(struct trace_section_reader *s);

/* Reads count bytes at offset `at` of the section's contents. Errors: TRACE_ERR_FORMAT if it is damaged or
 * shorter. */
int trace_section_read(struct trace_section_reader *s, const struct trace_index_bytes *t, uint64_t at,
                       void *bytes, size_t count);

/* Reads record `index` of a table: one 64-bit number for each column. */
int trace_section_read_numbers(struct trace_section_reader *s, const struct trace_index_bytes *t,
                               uint64_t index, uint64_t *numbers, size_t count);

#endif
