/* SPDX-License-Identifier: MIT
 * Prints a trace on the standard output, as text or as JSON.
 */
#ifndef CLI_DUMP_TRACE_H
#define CLI_DUMP_TRACE_H

#include "dump/dump_printer.h"
#include "input/event_filter.h"
#include "input/map_names.h"
#include "input/selected_calls.h"
#include "trace/probe.h"

#include <sys/types.h>

struct dump {
    struct call_selection selection;
    bool wants_pager; /* start a pager once the first trace is open */
    pid_t pager;      /* process id; 0: none */
    bool timestamps;  /* print times in text; JSON always includes them if the trace has them */
    const struct instr_maps *instr_maps;
    bool symbolize; /* name functions, also if no map was given */
    struct event_filter filter;
    unsigned jobs; /* number of threads, from 1 to JOBS_MAX */
    struct dump_printer printer;

    bool reads_all;       /* of the trace of calls, and what is not selected is left out here */
    uint64_t calls_found; /* in this trace, of those that are selected */
    uint64_t calls_read;
    int64_t flushed_at; /* clock_milliseconds() at the last flush; 0: none yet */
};

/* Prints the trace of calls at path, which was probed. The printer must be initialised. Errors and warnings
 * are printed after the calls that precede them. Returns the exit status. */
int dump_calls(struct dump *d, struct trace_probe *probe, const char *path);

#endif
