/* SPDX-License-Identifier: MIT
 * A call that is being read, and the memory that it uses.
 */
#ifndef TRACE_CALL_RECORD_H
#define TRACE_CALL_RECORD_H

#include "base/arena.h"
#include "formats/apitrace/container/chunk.h"
#include "trace/model.h"

struct trace_call_record {
    struct trace_call call;   /* must be the first member: a call is cast back to its record */
    struct trace_value *args; /* call.args, writable */
    struct arena arena;
    /* The chunks that blobs of the enter and of the leave event point into, or NULL. */
    struct trace_chunk *chunks[2];
    struct trace_call_record *next;
};

#endif
