/* SPDX-License-Identifier: MIT
 * `trace-cli diff --tool=diff|sdiff|wdiff`: another program compares the texts of both traces. It gets the
 * same options as from apitrace, so its output is the same.
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

/* Runs the tool. *status is an exit status of diff(1). Errors: TRACE_ERR_IO if the tool cannot be run. */
int diff_tool_run(const struct diff_tool *t, int *status);

/* Returns the columns of the terminal on the standard output, or `otherwise` if there is none. */
unsigned diff_terminal_width(unsigned otherwise);

#endif
