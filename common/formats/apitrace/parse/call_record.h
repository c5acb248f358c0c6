/* SPDX-License-Identifier: MIT
 * A call under construction, and the memory that it lives in.
 */
#ifndef TRACE_CALL_RECORD_H
#define TRACE_CALL_RECORD_H

#include "base/arena.h"
#include "formats/apitrace/container/chunk.h"
#include "trace/model.h"

struct trace_call_record {
    struct trace_call call;   /* first: a call handed out is cast back */
    struct trace_value *args; /* call.args, writable */
    struct arena arena;
    struct trace_chunk *chunks[2]; /* that blobs of the enter and of the leave event point into, or NULL */
    struct trace_call_record *next;
};

#endif
