/* SPDX-License-Identifier: MIT
 * trace-cli diff --tool=diff|sdiff|wdiff: the text of both traces, compared by another program. What that is
 * asked for, and so what it prints, is as in apitrace.
 */
#ifndef CLI_DIFF_TOOL_H
#define CLI_DIFF_TOOL_H

#include <stdbool.h>

struct diff_tool_trace {
    const char *path;
    const char *calls; /* a set of calls; NULL: all */
};

struct diff_tool {
    const char *name;
    struct diff_tool_trace traces[2];
    bool call_nos;
    bool suppress_common;
    unsigned width; /* 0: the terminal's */
    bool color;
    bool pager;
};

/* *status as diff(1) has it. TRACE_ERR_IO when the tool cannot be run. */
int diff_tool_run(const struct diff_tool *t, int *status);

/* Columns of the terminal on the standard output, or so many if there is none. */
unsigned diff_terminal_width(unsigned otherwise);

#endif
