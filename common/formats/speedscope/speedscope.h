/* SPDX-License-Identifier: MIT
 * The JSON of Speedscope, a viewer of profiles.
 */
#ifndef SPEEDSCOPE_H
#define SPEEDSCOPE_H

#include "trace/trace_format.h"

int speedscope_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

#endif
