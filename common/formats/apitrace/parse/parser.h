/* SPDX-License-Identifier: MIT
 * Parses events of a window of the stream into call records.
 * The window may end anywhere: a function that runs out of bytes returns TRACE_PARSE_MORE, and the event is
 * parsed again from its start once there are more. Nothing is allocated for what a count merely claims.
 */
#ifndef TRACE_PARSER_H
#define TRACE_PARSER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/varint.h"
#include "formats/apitrace/container/chunk.h"
#include "formats/apitrace/format.h"
#include "formats/apitrace/signatures.h"

/* Besides 0 and enum trace_error_code: the window ends inside the event; parser.need tells how many bytes are
 * missing at least. */
#define TRACE_PARSE_MORE 1

/* A call under construction, and the memory that it lives in. */
struct trace_call_record {
    struct trace_call call;   /* first: a call handed out is cast back */
    struct trace_value *args; /* call.args, writable */
    struct arena arena;
    struct trace_chunk *chunks[2]; /* that blobs of the enter and of the leave event point into, or NULL */
    struct trace_call_record *next;
};

struct trace_parser {
    const uint8_t *p; /* the next byte */
    const uint8_t *end;
    struct trace_chunk *chunk; /* that holds the window; lent */
    size_t need;
    unsigned version;
    bool damaged;   /* a part of the stream before was lost: signatures may be unknown */
    unsigned depth; /* of nested values */
    uint64_t items; /* values inside values of this event, so far */
    unsigned event; /* enum trace_raw_event_tag of the event being parsed: index into record->chunks */
    struct trace_call_record *record; /* gets the memory of values */
    struct trace_signatures sigs;
};

void trace_parser_init(struct trace_parser *s);
void trace_parser_fini(struct trace_parser *s);

/* After the event's tag: all of an enter event, into an empty record. */
int trace_parse_enter(struct trace_parser *s, struct trace_call_record *record);

/* After the number of a leave event: its details, into the record of the enter. */
int trace_parse_leave(struct trace_parser *s, struct trace_call_record *record);

/* Below: parts shared by parser_*.c. */
int trace_parse_value(struct trace_parser *s, struct trace_value *out);
int trace_parse_function_sig(struct trace_parser *s, const struct trace_function_sig **out);
int trace_parse_enum_sig(struct trace_parser *s, const struct trace_enum_sig **out);
int trace_parse_bitmask_sig(struct trace_parser *s, const struct trace_bitmask_sig **out);
int trace_parse_struct_sig(struct trace_parser *s, const struct trace_struct_sig **out);
int trace_parse_frame(struct trace_parser *s, struct trace_frame *out);
int trace_parse_sig(struct trace_parser *s, enum trace_sig_kind kind); /* one of these, for the table only */

/* In a damaged stream: is the unknown id before s->p followed by its definition (0 and *yes), or was that
 * lost? Then something stands in for it, under no name. Calls of functions whose name is lost have the name
 * "?". */
int trace_parse_is_defined(struct trace_parser *s, enum trace_sig_kind kind, bool *yes);
int trace_parse_lost_function(struct trace_parser *s, uint32_t id, const struct trace_function_sig **out);
int trace_parse_lost_enum(struct trace_parser *s, uint32_t id, const struct trace_enum_sig **out);
int trace_parse_lost_bitmask(struct trace_parser *s, uint32_t id, const struct trace_bitmask_sig **out);
int trace_parse_lost_frame(struct trace_parser *s, uint32_t id, struct trace_frame *out);

/* Of a damaged stream; in others it is a name like any other. */
static inline bool trace_function_is_lost(const struct trace_function_sig *sig)
{
    return sig->name[0] == '?' && sig->name[1] == '\0';
}

static inline size_t trace_parser_left(const struct trace_parser *s)
{
    return (size_t)(s->end - s->p);
}

static inline int trace_parse_more(struct trace_parser *s, size_t need)
{
    s->need = need;
    return TRACE_PARSE_MORE;
}

static inline int trace_parse_byte(struct trace_parser *s, uint8_t *out)
{
    if (s->p == s->end)
        return trace_parse_more(s, 1);
    *out = *s->p++;
    return 0;
}

int trace_parse_long_uint(struct trace_parser *s, uint64_t *out);

static inline int trace_parse_uint(struct trace_parser *s, uint64_t *out)
{
    if (s->p < s->end && *s->p < 0x80) {
        *out = *s->p++;
        return 0;
    }
    return trace_parse_long_uint(s, out);
}

/* A number that has to be at most max; what names it in the error. */
int trace_parse_bounded(struct trace_parser *s, uint64_t max, const char *what, uint32_t *out);

/* A count of things of at least one byte each: they are all in the window when this succeeds. */
static inline int trace_parse_count(struct trace_parser *s, uint64_t *out)
{
    int rc = trace_parse_uint(s, out);
    if (rc == 0 && *out > trace_parser_left(s))
        rc = trace_parse_more(s, *out - trace_parser_left(s));
    return rc;
}

/* A string, copied into arena with a NUL after it. */
int trace_parse_string(struct trace_parser *s, struct arena *arena, const char **out, uint64_t *count);

#endif
