/* SPDX-License-Identifier: MIT
 * Parts that the JSON lines of calls and other events share.
 */
#ifndef CLI_DUMP_JSON_PARTS_H
#define CLI_DUMP_JSON_PARTS_H

#include "dump/dump_json.h"

/* The version of the output. Raise it when an existing member changes its meaning. */
#define DUMP_JSON_VERSION 1

/* Each function appends a member, or nothing if the value is NULL. */
void dump_json_put_string(struct json_writer *w, const char *name, const char *value);
void dump_json_put_uint(struct json_writer *w, const char *name, uint64_t value);
void dump_json_put_address(struct json_writer *w, const char *name, uint64_t address); /* as "0x…" */
/* Nothing if the time is unknown. */
void dump_json_put_time(struct json_writer *w, const char *name, int64_t time);

void dump_json_put_properties(struct json_writer *w, const struct trace_property *properties, size_t count);

/* Append the members `name` and `args`; the member `backtrace`. */
void dump_json_put_name_and_args(struct dump_json *j, const struct trace_call *call);
void dump_json_put_backtrace(struct json_writer *w, const struct trace_call *call);

/* Ends the line, and returns its first error. */
int dump_json_end_line(struct dump_json *j);

#endif
