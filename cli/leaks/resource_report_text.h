/* SPDX-License-Identifier: MIT
 * Leaks of resources as a text of sp-rtrace's protocol, which its users' tools read: the declarations of the
 * trace, the allocations, and sums as comments.
 */
#ifndef CLI_RESOURCE_REPORT_TEXT_H
#define CLI_RESOURCE_REPORT_TEXT_H

#include "leaks/resource_report.h"
#include "trace/sink.h"
#include "trace/source.h"

/* Begins the text of a report on the source, on the standard output. Declarations follow, by
 * trace_sink_put(). */
int resource_report_open_text(struct trace_sink **out, struct trace_source *source, bool grouped);

/* Then the leaks, unless only the sums are wanted, and the sums. */
int resource_report_put_text(const struct resource_report *r, struct trace_sink *text, bool grouped,
                             bool summary);

#endif
