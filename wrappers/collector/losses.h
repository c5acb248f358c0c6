/* SPDX-License-Identifier: MIT
 * What a trace lacks of what its program called, and saying so at the end.
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

/* Cuts the file behind the last whole chunk that output (flushed, with an error) has written to it, so that
 * it is a trace; returns how many of `calls` it lacks. */
uint64_t losses_cut_file(struct trace_output *output, int file, uint64_t calls);

/* Adds what merger, its segment and the open file tell. */
void losses_note(struct losses *l, const struct record_merger *merger, int file);

/* Says on stderr what name lacks. True if its program's calls are not all there. */
bool losses_tell(const struct losses *l, const char *name);

#endif
