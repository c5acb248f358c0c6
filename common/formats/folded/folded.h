/* SPDX-License-Identifier: MIT
 * Folded stacks, which tools for flame graphs read: "thread;outer;inner NANOSECONDS".
 */
#ifndef FOLDED_H
#define FOLDED_H

#include "trace/trace_format.h"

int folded_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

#endif
