/* SPDX-License-Identifier: MIT
 * Copies events of one trace into another: all or some of their calls, with or without changes.
 * What is not changed stays byte for byte. Calls are numbered anew when some are left out, and a signature
 * whose only definition was left out is defined where it is used next.
 */
#ifndef TRACE_RAW_EVENT_COPIER_H
#define TRACE_RAW_EVENT_COPIER_H

#include "formats/apitrace/container/container.h"
#include "formats/apitrace/read/raw_events.h"

struct trace_copier;

/* Replaces size bytes at `at` of an event by count others. */
struct trace_edit {
    size_t at;
    size_t size;
    const void *bytes;
    size_t count;
};

/* Copies from e to o; both are lent. e has to have marks unless all calls are kept. Damaged parts of e are
 * just not there: what is lost with them is left out, so that the copy is sound. The caller owns *out. */
int trace_copier_open(struct trace_copier **out, struct trace_raw_events *e, struct trace_output *o);
void trace_copier_close(struct trace_copier *c); /* NULL is allowed */

/* To come first: the header as it is, or with other properties (format version 4 or later). */
int trace_copier_header(struct trace_copier *c);
int trace_copier_header_with(struct trace_copier *c, const struct trace_property *properties, size_t count);

/* Begins a call or leaves it out (in any case, if its function's name was in a damaged part); its leave event
 * follows the same way by itself. The edits are in the order of their places and do not overlap. */
int trace_copier_event(struct trace_copier *c, const struct trace_raw_event *event, bool keep,
                       const struct trace_edit *edits, size_t count);

/* Between events: copies, or leaves out, the next calls that trace_raw_events_pass_known() passes over, if it
 * may; they end no frame. Those numbered below `until` are all kept, as they are, or all left out. */
int trace_copier_pass_known(struct trace_copier *c, bool keep, uint64_t until);

/* To come last: writes what is still to be written. */
int trace_copier_flush(struct trace_copier *c);

/* Calls that were kept and have not been left. */
size_t trace_copier_pending(const struct trace_copier *c);

#endif
