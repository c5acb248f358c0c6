/* SPDX-License-Identifier: MIT
 * The traces of a directory: metadata, layouts, and all streams, merged.
 */
#ifndef CTF_TRACES_H
#define CTF_TRACES_H

#include "formats/ctf/decode/ctf_merge.h"
#include "trace/event.h"

struct ctf_traces {
    struct ctf_opened_trace *items;
    size_t count;
    struct ctf_files files;
    struct ctf_instances instances;
    struct ctf_merge merge;
    bool has_clock;
    struct trace_clock clock;
    uint32_t stream_count;
    uint64_t bytes; /* of all streams */
};

struct ctf_opened_trace {
    struct ctf_trace trace;
    struct ctf_layout layout;
    const char *folder; /* below the one that is opened; lent while it is */
};

/* Opens the traces in the directory, or below it. Call ctf_traces_close() even after an error. Errors:
 * TRACE_ERR_IO, TRACE_ERR_FORMAT, TRACE_ERR_TRUNCATED, TRACE_ERR_UNSUPPORTED, TRACE_ERR_MEMORY. */
int ctf_traces_open(struct ctf_traces *t, const char *path);
void ctf_traces_close(struct ctf_traces *t);

#endif
