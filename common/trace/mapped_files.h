/* SPDX-License-Identifier: MIT
 * Which file is mapped where: finds the module that an address of a backtrace is in.
 */
#ifndef TRACE_MAPPED_FILES_H
#define TRACE_MAPPED_FILES_H

#include "trace/event.h"

/* Zero-initialise before use. */
struct mapped_files {
    struct trace_mapping *entries; /* rising and not overlapping; paths are owned */
    size_t count;
    size_t room;
};

void mapped_files_fini(struct mapped_files *files);

/* From now on the mapping is there, and what it covers of older ones is not. TRACE_ERR_MEMORY. */
int mapped_files_add(struct mapped_files *files, const struct trace_mapping *mapping);

/* NULL: nothing is known to be mapped there. Lent until the next mapped_files_add(). */
const struct trace_mapping *mapped_files_find(const struct mapped_files *files, uint64_t address);

/* Says by the frame's address which module it is in, and at which offset; of an address in none, the offset
 * is the address. What the frame tells already stays. The module is lent as by mapped_files_find(). */
void mapped_files_place(const struct mapped_files *files, struct trace_frame *frame);

#endif
