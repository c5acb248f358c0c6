/* SPDX-License-Identifier: MIT
 * Shows a trace on the standard output, as text or as JSON.
 */
#ifndef CLI_DUMP_TRACE_H
#define CLI_DUMP_TRACE_H

#include "dump/dump_printer.h"
#include "input/selected_calls.h"
#include "trace/probe.h"

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
};

/* Shows the trace of calls at path, which was probed; the printer is initialised. Errors and warnings are
 * printed behind the calls before them. Returns the exit status. */
int dump_calls(struct dump *d, struct trace_probe *probe, const char *path);

#endif
