/* SPDX-License-Identifier: MIT
 * Counts the calls that a trace lacks, and tells the user at the end.
 */
#ifndef COLLECTOR_LOSSES_H
#define COLLECTOR_LOSSES_H

#include "records/record_merger.h"

struct trace_output;

struct losses {
    uint64_t unwritten;  /* calls that did not reach the file */
    uint64_t unrecorded; /* calls of threads that found no ring */
    uint64_t damaged;    /* records that did not fit their function, and places in rings that held none */
    uint64_t missing;    /* records that never came, of threads that were killed: no calls */
    bool deleted;        /* the file has no name any more */
};

/* After an error of output, which has been flushed: cuts off the file behind its last whole chunk, so that it
 * is a readable trace. Returns how many of `calls` it lacks. */
uint64_t losses_cut_file(struct trace_output *output, int file, uint64_t calls);

/* Adds what merger, its segment and the open file know. */
void losses_note(struct losses *l, const struct record_merger *merger, int file);

/* Says on stderr what the trace called name lacks. True if calls are missing. */
bool losses_tell(const struct losses *l, const char *name);

#endif
