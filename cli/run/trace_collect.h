/* SPDX-License-Identifier: MIT
 * Runs a program with the capture library preloaded, and collects its calls.
 */
#ifndef RUN_TRACE_COLLECT_H
#define RUN_TRACE_COLLECT_H

#include "run/trace_options.h"

/* argv: the program and its arguments, with a NULL at the end. Prints errors. Returns trace-cli's exit
 * status: the program's; 1 instead of 0 if calls are missing from the trace. */
int trace_collect(const struct trace_options *o, char **argv);

#endif
