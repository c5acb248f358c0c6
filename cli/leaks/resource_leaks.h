/* SPDX-License-Identifier: MIT
 * `trace-cli leaks` of a trace of allocations and releases, such as sp-rtrace's logs.
 */
#ifndef CLI_RESOURCE_LEAKS_H
#define CLI_RESOURCE_LEAKS_H

#include "input/selected_calls.h"
#include "leaks/resource_report.h"
#include "trace/probe.h"

struct resource_leaks_options {
    struct resource_filter filter;
    struct call_selection followed; /* events up to the end that --until sets */
    uint32_t depth;                 /* frames of a backtrace; 0: all */
    bool compress;                  /* one entry for all with the same backtrace */
    bool summary;                   /* only sums */
    bool json;
    enum resource_sort sort;
};

/* Prints the leaks of the probed trace, which is not of apitrace's format. *found: there are any. Returns the
 * exit status, 0 or 1; errors are printed. */
int resource_leaks_show(const struct resource_leaks_options *o, struct trace_probe *probe, bool *found);

#endif
