/* SPDX-License-Identifier: MIT
 * The modules (programs and libraries) that the frames of backtraces name, as the index has them: which build
 * each one was.
 */
#ifndef TRACE_INDEX_MODULES_H
#define TRACE_INDEX_MODULES_H

#include "base/arena.h"
#include "formats/apitrace/index/index_reader.h"

struct trace_modules {
    struct trace_module *list;
    size_t count, room;
    struct arena memory;
};

/* Reads the list, which is empty if the index has none. The caller frees *out with trace_modules_fini(), also
 * after an error. Errors: TRACE_ERR_FORMAT, TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int trace_modules_read(struct trace_modules *out, struct trace_index *t);
void trace_modules_fini(struct trace_modules *m);

#endif
