/* SPDX-License-Identifier: MIT
 * Counts the calls that are missing in a trace, and reports them to the user at the end.
 */
#ifndef COLLECTOR_LOSSES_H
#define COLLECTOR_LOSSES_H

#include "records/record_merger.h"
#include "trace/container_kind.h"

struct trace_output;

struct losses {
    uint64_t unwritten;    /* calls that were not written to the file */
    uint64_t unrecorded;   /* calls of threads that got no ring */
    uint64_t interrupting; /* calls of signal handlers that interrupted the recorder */
    /* Records that did not match their function, and places in rings that contained no record. */
    uint64_t damaged;
    uint64_t missing;  /* records that were never published, because their threads were killed; these are not
                          calls */
    uint64_t cut;      /* calls of which some data was never published */
    unsigned undumped; /* files of the flight recorder that could not be written; told before */
    bool deleted;      /* the file has been deleted */
};

/* After an error of output, which has been flushed: truncates the file after its last complete chunk, so that
 * it is a readable trace. Returns how many of `calls` are missing in it. */
uint64_t losses_cut_file(struct trace_output *output, enum trace_container container, int file,
                         uint64_t calls);

#define LOSSES_MARKS 64

/* How many calls were entered in the first bytes of the stream: the newest LOSSES_MARKS places, in a ring. */
struct losses_marks {
    struct {
        uint64_t stream, calls;
    } marks[LOSSES_MARKS];
    unsigned next;
};

void losses_mark(struct losses_marks *m, uint64_t stream, uint64_t calls);

/* Does the same as losses_cut_file() without reading the file, in which events may be larger than memory.
 * Calls between two marks count as missing. */
uint64_t losses_cut_marked_file(struct trace_output *output, enum trace_container container, int file,
                                uint64_t calls, const struct losses_marks *marks);

/* Adds the losses that the merger, its segment and the open file know of. */
void losses_note(struct losses *l, const struct record_merger *merger, int file);

/* Reports on stderr what is missing in the trace `name`. Returns true if calls are missing. */
bool losses_tell(const struct losses *l, const char *name);

#endif
