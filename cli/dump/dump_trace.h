/* SPDX-License-Identifier: MIT
 * Shows a trace on the standard output, as text or as JSON.
 */
#ifndef CLI_DUMP_TRACE_H
#define CLI_DUMP_TRACE_H

#include "dump/dump_printer.h"
#include "input/selected_calls.h"

#include <sys/types.h>

struct dump {
    struct call_selection selection;
    bool wants_pager; /* from the first trace on that can be opened */
    pid_t pager;      /* 0: none */
    bool timestamps;  /* show times; in JSON they are always there, if the trace has them */
    unsigned jobs;    /* threads, from 1 to JOBS_MAX */
    struct dump_printer printer;

    uint64_t calls_read;
    int64_t flushed_at; /* clock_milliseconds(); 0: not yet */

    bool cut_off; /* the last trace was shown, as far as it goes */
    bool damaged; /* of one, parts could not be shown; the warnings are printed */
};

/* Shows the trace at path; the printer is initialised. TRACE_ERR_TRUNCATED (cut_off): after all that is
 * there. */
int dump_trace(struct dump *d, const char *path);

/* Writes the text to the standard output and empties it. */
int dump_write(struct buf *text);

/* Behind what has been written, warns of the damage that the present error message tells of. */
void dump_warn_of_damage(struct dump *d);

#endif
