/* SPDX-License-Identifier: MIT
 * An event of the apitrace format as bytes, and what is known of it without decoding its values.
 */
#ifndef TRACE_RAW_EVENT_H
#define TRACE_RAW_EVENT_H

#include "formats/apitrace/format.h"
#include "formats/apitrace/signatures.h"
#include "trace/model.h"

enum trace_mark_kind {
    TRACE_MARK_FUNCTION, /* signature ids; the order of enum trace_sig_kind */
    TRACE_MARK_ENUM_SIG,
    TRACE_MARK_BITMASK_SIG,
    TRACE_MARK_STRUCT_SIG,
    TRACE_MARK_FRAME,
    TRACE_MARK_STRING, /* values */
    TRACE_MARK_ENUM,
    TRACE_MARK_BITMASK,
    TRACE_MARK_OPAQUE,
};

/* A place in an event. */
struct trace_mark {
    enum trace_mark_kind kind;
    bool lost;   /* of a signature: its body should follow, and was in a damaged part */
    uint32_t id; /* of a signature */
    size_t at;   /* bytes from the event's start: of a signature, behind the id; of a value, behind its type
                    tag and signature */
    size_t
        size; /* of a signature, of the body that follows (0: none); of a value, of what is encoded there */
    uint64_t value; /* of ENUM (two's complement), BITMASK, OPAQUE */
    union {
        const struct trace_enum_sig *enumeration; /* ENUM */
        const struct trace_bitmask_sig *bitmask;  /* BITMASK */
        const char *string;                       /* STRING: its bytes, without a NUL after them */
    } u;
    size_t count; /* STRING: bytes */
};

/* A signature's id and the body that defines it, in an event. */
struct trace_definition {
    enum trace_sig_kind kind;
    size_t at;   /* bytes from the event's start */
    size_t size; /* of both */
};

struct trace_raw_event {
    enum trace_raw_event_tag tag;
    const uint8_t *bytes; /* all of it */
    size_t size;
    uint64_t offset;                      /* in the stream */
    uint64_t call;                        /* its number */
    const struct trace_function_sig *sig; /* NULL of a leave when no such call is pending, and of a function
                                             whose name was in a damaged part */
    uint32_t thread;                      /* 0 of a leave when no such call is pending */
    int64_t time;                         /* nanoseconds on the trace's clock, or TRACE_NO_TIME */
    uint64_t blob_bytes;                  /* in blobs */
    size_t number_size;                   /* of a leave: bytes of the call number, behind the tag */
    const struct trace_mark *marks;       /* in the order of `at` */
    size_t mark_count;
    const struct trace_definition *definitions; /* in the order of `at`; known without marks, too */
    size_t definition_count;
};

/* A call whose two events follow each other. */
struct trace_known_call {
    const struct trace_function_sig *sig;
    uint32_t thread;
    uint32_t size; /* bytes of both events */
};

#endif
