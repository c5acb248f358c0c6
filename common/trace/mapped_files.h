/* SPDX-License-Identifier: MIT
 * Keeps track of the files that are mapped into a program's memory, and finds the module for an address of a
 * backtrace.
 */
#ifndef TRACE_MAPPED_FILES_H
#define TRACE_MAPPED_FILES_H

#include "trace/event.h"

/* Zero-initialise it before use. */
struct mapped_files {
    struct trace_mapping *entries; /* ascending and not overlapping; paths are owned */
    size_t count;
    size_t room;
};

void mapped_files_fini(struct mapped_files *files);

/* Adds a mapping, which is copied. It replaces the parts of older mappings that it overlaps. Errors:
 * TRACE_ERR_MEMORY. */
int mapped_files_add(struct mapped_files *files, const struct trace_mapping *mapping);

/* Returns the mapping that contains the address, or NULL if none is known. Lent until the next
 * mapped_files_add(). */
const struct trace_mapping *mapped_files_find(const struct mapped_files *files, uint64_t address);

/* Fills in the module and the offset of a frame by its address. If the address is in no mapping, the offset
 * is the address. Members that the frame already has stay as they are. The module is lent as by
 * mapped_files_find(). */
void mapped_files_place(const struct mapped_files *files, struct trace_frame *frame);

#endif
