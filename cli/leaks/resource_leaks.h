/* SPDX-License-Identifier: MIT
 * `trace-cli leaks` for traces of allocations and releases, such as sp-rtrace logs.
 */
#ifndef CLI_RESOURCE_LEAKS_H
#define CLI_RESOURCE_LEAKS_H

#include "input/selected_calls.h"
#include "leaks/resource_report.h"
#include "trace/probe.h"

struct resource_leaks_options {
    struct resource_filter filter;
    struct call_selection followed; /* events to read, up to the one that --until gives */
    uint32_t depth;                 /* frames of a backtrace that count; 0: all */
    bool compress;                  /* one entry for all leaks with the same backtrace */
    bool summary;                   /* only print sums */
    bool json;
    enum resource_sort sort;
};

/* Prints the leaks of the probed trace, which is not in the apitrace format. *found: there are leaks. Returns
 * the exit status, 0 or 1. Prints errors itself. */
int resource_leaks_show(const struct resource_leaks_options *o, struct trace_probe *probe, bool *found);

#endif
