/* SPDX-License-Identifier: MIT
 * Formats calls as Python pickles, byte for byte like `apitrace pickle`. Each call is one object of protocol
 * 3: the tuple (number, function, [(argument, value), ...], return value, flags).
 */
#ifndef CLI_PICKLE_FORMAT_H
#define CLI_PICKLE_FORMAT_H

#include "base/buf.h"
#include "trace/model.h"

struct pickle_style {
    bool symbolic;   /* enums and flags as names; of two representations, the human-readable one */
    bool thread_ids; /* add the thread's number after the call's */
};

/* Appends a call. Errors: TRACE_ERR_MEMORY, TRACE_ERR_UNSUPPORTED (a string or blob has 4 GiB or more). */
int pickle_format_call(struct buf *out, const struct pickle_style *style, const struct trace_call *call);

#endif
