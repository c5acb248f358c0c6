/* SPDX-License-Identifier: MIT
 * Shows a trace that is not of apitrace's format: in the text that its own users know, or, if it has none, a
 * line an event; or as JSON.
 */
#ifndef CLI_DUMP_EVENTS_H
#define CLI_DUMP_EVENTS_H

#include "dump/dump_trace.h"

/* As dump_calls(), of the file at path, which was probed. */
int dump_events(struct dump *d, struct trace_probe *probe, const char *path);

#endif
