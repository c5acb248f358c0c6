/* SPDX-License-Identifier: MIT
 * Copies events of one trace to another: all or some of its calls, with or without changes. Unchanged events
 * are copied byte for byte. If calls are left out, the others are renumbered. A signature whose definition
 * was left out is defined at its next use.
 */
#ifndef TRACE_RAW_EVENT_COPIER_H
#define TRACE_RAW_EVENT_COPIER_H

#include "formats/apitrace/container/container.h"
#include "formats/apitrace/copy/copied_times.h"
#include "formats/apitrace/read/raw_events.h"

struct trace_copier;

/* Replaces `size` bytes at offset `at` of an event by count other bytes. */
struct trace_edit {
    size_t at;
    size_t size;
    const void *bytes;
    size_t count;
};

/* Creates a copier from e to o; both are lent. e must provide marks, unless all calls are kept. Events that
 * were lost to damage in e are left out, so that the copy is valid. The caller owns *out. */
int trace_copier_open(struct trace_copier **out, struct trace_raw_events *e, struct trace_output *o);
void trace_copier_close(struct trace_copier *c); /* c may be NULL */

/* Writes the header: unchanged, or with other properties (format version 4 or later). Call it first. */
int trace_copier_header(struct trace_copier *c);
int trace_copier_header_with(struct trace_copier *c, const struct trace_property *properties, size_t count);

/* Copies an enter event or leaves the call out. A call whose function name was lost to damage is always left
 * out. The call's leave event is then treated in the same way. The edits are in ascending order and do not
 * overlap. */
int trace_copier_event(struct trace_copier *c, const struct trace_raw_event *event, bool keep,
                       const struct trace_edit *edits, size_t count);

/* Copies or leaves out the next calls that trace_raw_events_pass_known() can skip; these end no frame. Call
 * it between events. The calls numbered below `until` are either all kept unchanged, or all left out. */
int trace_copier_pass_known(struct trace_copier *c, bool keep, uint64_t until);

/* Notes the times of the events that are copied, if the index of the source has times. Call it first. Without
 * the fast ways to skip known calls, copying takes longer then. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int trace_copier_keep_times(struct trace_copier *c);

/* Lends the noted times, or returns NULL if there are none. */
struct trace_copied_times *trace_copier_times(const struct trace_copier *c);

/* Writes everything that is still buffered. Call it last. */
int trace_copier_flush(struct trace_copier *c);

/* Returns the number of calls that were copied and have not returned yet. */
size_t trace_copier_pending(const struct trace_copier *c);

#endif
