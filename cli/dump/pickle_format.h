/* SPDX-License-Identifier: MIT
 * Calls as Python pickles, byte for byte like `apitrace pickle`: one object of protocol 3 a call, the tuple
 * (number, function, [(argument, value), ...], return value, flags).
 */
#ifndef CLI_PICKLE_FORMAT_H
#define CLI_PICKLE_FORMAT_H

#include "base/buf.h"
#include "trace/model.h"

struct pickle_style {
    bool symbolic;   /* names for enums and flags, and what is for humans of a representation */
    bool thread_ids; /* the thread's number behind the call's */
};

/* Appends a call; TRACE_ERR_MEMORY, or TRACE_ERR_UNSUPPORTED for a string or blob of 4 GiB or more. */
int pickle_format_call(struct buf *out, const struct pickle_style *style, const struct trace_call *call);

#endif
