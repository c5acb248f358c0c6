/* SPDX-License-Identifier: MIT
 * Values as babeltrace2 prints them.
 */
#ifndef BABELTRACE_VALUES_H
#define BABELTRACE_VALUES_H

#include "formats/shared/log_output.h"
#include "trace/model.h"

/* Room that the functions reserve for a member that is a number, beside its name, and for a structure. */
#define BABELTRACE_MEMBER_BYTES 104

/* Appends a value. If with_names, members of structures and elements of arrays have their names. Errors:
 * TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int babeltrace_put_value(struct log_output *o, const struct trace_value *v, bool with_names);

/* Appends members that are not in a structure: the arguments of a call. */
int babeltrace_put_members(struct log_output *o, const char *const *names, const struct trace_value *values,
                           uint64_t count, bool with_names);

#endif
