/* SPDX-License-Identifier: MIT
 * The state of an event parser, and the functions that read bytes, numbers, counts and strings. The window of
 * the stream may end anywhere. A function that runs out of bytes returns TRACE_PARSE_MORE; the event is then
 * parsed again from its start with a larger window. Memory is never allocated for a count before its elements
 * have been seen.
 */
#ifndef TRACE_PARSER_BYTES_H
#define TRACE_PARSER_BYTES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/varint.h"
#include "formats/apitrace/format.h"
#include "formats/apitrace/signatures.h"

/* The window ends inside the event. parser.need is the number of bytes that are missing at least. All other
 * return values are 0 or error codes. */
#define TRACE_PARSE_MORE 1

struct trace_call_record;
struct trace_chunk;

struct trace_parser {
    const uint8_t *p; /* the next byte to be parsed */
    const uint8_t *end;
    struct trace_chunk *chunk; /* the chunk that contains the window; lent */
    size_t need;
    unsigned version;
    bool damaged;   /* an earlier part of the stream was lost, so signatures may be unknown */
    unsigned depth; /* nesting of the current value */
    uint64_t items; /* number of values inside values in this event so far */
    unsigned event; /* enum trace_raw_event_tag of the current event: index into record->chunks */
    struct trace_call_record *record; /* memory for values is allocated in it */
    struct trace_signatures sigs;
};

void trace_parser_init(struct trace_parser *s);
void trace_parser_fini(struct trace_parser *s);

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

/* Parses a number, which must be at most max. `what` names it in error messages. */
int trace_parse_bounded(struct trace_parser *s, uint64_t max, const char *what, uint32_t *out);

/* Parses a count of elements that have at least one byte each. On success, count bytes are in the window. */
static inline int trace_parse_count(struct trace_parser *s, uint64_t *out)
{
    int rc = trace_parse_uint(s, out);
    if (rc == 0 && *out > trace_parser_left(s))
        rc = trace_parse_more(s, *out - trace_parser_left(s));
    return rc;
}

/* Parses a string and copies it to the arena with a NUL at the end. */
int trace_parse_string(struct trace_parser *s, struct arena *arena, const char **out, uint64_t *count);

#endif
