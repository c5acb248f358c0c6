/* SPDX-License-Identifier: MIT
 * Writes the leaks of resources in the text format of sp-rtrace, which its users' tools read: the
 * declarations of the trace, the allocations, and sums as comments.
 */
#ifndef CLI_RESOURCE_REPORT_TEXT_H
#define CLI_RESOURCE_REPORT_TEXT_H

#include "leaks/resource_report.h"
#include "trace/sink.h"
#include "trace/source.h"

/* Creates the text for a report on the source, on the standard output. Put the declarations into *out with
 * trace_sink_put(). */
int resource_report_open_text(struct trace_sink **out, struct trace_source *source, bool grouped);

/* Puts the leaks (unless only sums are wanted) and the sums. */
int resource_report_put_text(const struct resource_report *r, struct trace_sink *text, bool grouped,
                             bool summary);

#endif
