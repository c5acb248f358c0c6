/* SPDX-License-Identifier: MIT
 * An undecoded event of the apitrace format: its bytes, and what is known about it without decoding its
 * values.
 */
#ifndef TRACE_RAW_EVENT_H
#define TRACE_RAW_EVENT_H

#include "formats/apitrace/format.h"
#include "formats/apitrace/signatures.h"
#include "trace/model.h"

enum trace_mark_kind {
    TRACE_MARK_FUNCTION, /* ids of signatures, in the order of enum trace_sig_kind */
    TRACE_MARK_ENUM_SIG,
    TRACE_MARK_BITMASK_SIG,
    TRACE_MARK_STRUCT_SIG,
    TRACE_MARK_FRAME,
    TRACE_MARK_STRING, /* values */
    TRACE_MARK_ENUM,
    TRACE_MARK_BITMASK,
    TRACE_MARK_OPAQUE,
};

/* An element of interest in an event. */
struct trace_mark {
    enum trace_mark_kind kind;
    bool lost;   /* signatures: a definition should follow, but was lost to damage */
    uint32_t id; /* signatures */
    size_t at;   /* offset in the event, in bytes; for a signature, after the id; for a value, after its type
                    tag and signature */
    size_t size; /* for a signature, the size of the body that follows (0: none); for a value, the size of its
                    encoding */
    uint64_t value; /* of ENUM (two's complement), BITMASK, OPAQUE */
    union {
        const struct trace_enum_sig *enumeration; /* ENUM */
        const struct trace_bitmask_sig *bitmask;  /* BITMASK */
        const char *string;                       /* STRING: its bytes, without a NUL after them */
    } u;
    size_t count; /* STRING: bytes */
};

/* The definition of a signature in an event: its id and its body. */
struct trace_definition {
    enum trace_sig_kind kind;
    size_t at;   /* offset in the event, in bytes */
    size_t size; /* of id and body */
};

struct trace_raw_event {
    enum trace_raw_event_tag tag;
    const uint8_t *bytes; /* the whole event */
    size_t size;
    /* Of an event whose beginning is not in memory any more: the bytes that precede `bytes`, and part of
     * size. Otherwise 0. */
    size_t skipped;
    bool is_part;                         /* the event is not complete; only while an index is built */
    uint64_t offset;                      /* stream offset */
    uint64_t call;                        /* call number */
    const struct trace_function_sig *sig; /* NULL for a leave event without a pending call, and for a function
                                             whose name was lost to damage */
    uint32_t thread;                      /* 0 for a leave event without a pending call */
    int64_t time;                         /* nanoseconds on the trace's clock, or TRACE_NO_TIME */
    uint64_t blob_bytes;                  /* total size of its blobs */
    size_t number_size;                   /* size of the call number after the tag, for a leave event */
    const struct trace_mark *marks;       /* in ascending order of `at` */
    size_t mark_count;
    const struct trace_definition *definitions; /* in ascending order of `at`; filled in even without marks */
    size_t definition_count;
};

/* A call whose enter and leave events are adjacent. */
struct trace_known_call {
    const struct trace_function_sig *sig;
    uint32_t thread;
    uint32_t size; /* bytes of both events */
};

#endif
