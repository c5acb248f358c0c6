/* SPDX-License-Identifier: MIT
 * Parts that the JSON lines of calls and other events share.
 */
#ifndef TRACE_JSON_PARTS_H
#define TRACE_JSON_PARTS_H

#include "trace/event.h"
#include "trace/text/trace_json.h"

/* The version of the output. Raise it when an existing member changes its meaning. */
#define TRACE_JSON_VERSION 1

/* Each function appends a member, or nothing if the value is NULL. */
void trace_json_put_string(struct json_writer *w, const char *name, const char *value);
void trace_json_put_uint(struct json_writer *w, const char *name, uint64_t value);
void trace_json_put_address(struct json_writer *w, const char *name, uint64_t address); /* as "0x…" */
/* Nothing if the time is unknown. */
void trace_json_put_time(struct json_writer *w, const char *name, int64_t time);

/* Appends the members that are known of the origin; origin may be NULL. */
void trace_json_put_origin(struct json_writer *w, const struct trace_origin *origin);

/* Append the members `name` and `args`; the member `backtrace`. */
void trace_json_put_name_and_args(struct trace_json *j, const struct trace_call *call);
void trace_json_put_backtrace(struct json_writer *w, const struct trace_call *call);

/* Appends the line of a call of the origin, which may be NULL. */
int trace_json_call_of(struct trace_json *j, const struct trace_call *call, const struct trace_origin *origin,
                       uint64_t frame);

/* Ends the line, and returns its first error. */
int trace_json_end_line(struct trace_json *j);

#endif
