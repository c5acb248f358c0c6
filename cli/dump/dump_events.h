/* SPDX-License-Identifier: MIT
 * Prints a trace in a format other than apitrace's: in the text form of its own format, if there is one,
 * otherwise as one line per event; or as JSON.
 */
#ifndef CLI_DUMP_EVENTS_H
#define CLI_DUMP_EVENTS_H

#include "dump/dump_trace.h"

/* Does the same as dump_calls() for any source. */
int dump_events(struct dump *d, struct trace_probe *probe, const char *path);

#endif
