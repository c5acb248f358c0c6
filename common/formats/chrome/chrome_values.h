/* SPDX-License-Identifier: MIT
 * Calls as the JSON of Chrome's events: values are plain, since viewers show them as they are.
 */
#ifndef CHROME_VALUES_H
#define CHROME_VALUES_H

#include "base/json_writer.h"
#include "trace/model.h"

void chrome_put_value(struct json_writer *w, const struct trace_value *value);

/* Appends the members "name" and "args", whose bracket is left open. is_over: the call has returned. call:
 * NULL: there is none. */
void chrome_put_call(struct json_writer *w, const struct trace_call *call, const char *name, bool is_over);

#endif
