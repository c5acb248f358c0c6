/* SPDX-License-Identifier: MIT
 * Checks that both sp-rtrace sinks share: what neither format can express.
 */
#ifndef SP_RTRACE_SINK_CHECKS_H
#define SP_RTRACE_SINK_CHECKS_H

#include "trace/sink_ops.h"

/* Counts an event whose kind is left out entirely. Returns 0. */
int sink_leave_out_event(struct trace_sink *s, const struct trace_event *event);

/* Checks an allocation or release, and counts the parts of its origin that are left out. Errors:
 * TRACE_ERR_USAGE if it has no call. */
int sink_check_call(struct trace_sink *s, const struct trace_event *event);

/* Counts the properties, and the keys of a text's header, that a binary log cannot contain. */
void sink_check_header(struct trace_sink *s, const struct trace_sink_options *options);

/* Returns the value of a property, lent like the options, or NULL if there is no property with this name. */
const char *sink_property(const struct trace_sink_options *options, const char *name);

#define SINK_VALUE_BYTES 32

/* Returns an argument as text, which is lent or in room. Returns NULL if there is no value, or if it cannot
 * be text, which is counted. */
const char *sink_value_text(struct trace_sink *s, const struct trace_value *value, char *room,
                            size_t *length);

#endif
