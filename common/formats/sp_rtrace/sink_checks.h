/* SPDX-License-Identifier: MIT
 * What neither of sp-rtrace's formats can express, and what they check alike.
 */
#ifndef SP_RTRACE_SINK_CHECKS_H
#define SP_RTRACE_SINK_CHECKS_H

#include "trace/sink_ops.h"

/* Counts an event of a kind that is left out as a whole. Returns 0. */
int sink_leave_out_event(struct trace_sink *s, const struct trace_event *event);

/* An allocation or release: ERR_USAGE if it has no call. Counts what of its origin is left out. */
int sink_check_call(struct trace_sink *s, const struct trace_event *event);

/* Counts properties, and keys of a text's header, that a binary log has no place for. */
void sink_check_header(struct trace_sink *s, const struct trace_sink_options *options);

/* A property's value, lent like the options; NULL: there is none of that name. */
const char *sink_property(const struct trace_sink_options *options, const char *name);

#define SINK_VALUE_BYTES 32

/* An argument as text: lent, or printed into room. NULL: no value, or none that is text, which is counted. */
const char *sink_value_text(struct trace_sink *s, const struct trace_value *value, char *room,
                            size_t *length);

#endif
