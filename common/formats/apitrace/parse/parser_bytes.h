/* SPDX-License-Identifier: MIT
 * The state of a parser of events, and what all of it reads from the stream: bytes, numbers, counts, strings.
 * The window of the stream may end anywhere: a function that runs out of bytes returns TRACE_PARSE_MORE, and
 * the event is parsed again from its start once there are more. Nothing is allocated for what a count merely
 * claims.
 */
#ifndef TRACE_PARSER_BYTES_H
#define TRACE_PARSER_BYTES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/varint.h"
#include "formats/apitrace/format.h"
#include "formats/apitrace/signatures.h"

/* Besides 0 and enum trace_error_code: the window ends inside the event; parser.need tells how many bytes are
 * missing at least. */
#define TRACE_PARSE_MORE 1

struct trace_call_record;
struct trace_chunk;

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
