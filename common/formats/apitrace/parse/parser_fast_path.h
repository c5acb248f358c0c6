/* SPDX-License-Identifier: MIT
 * A fast path for the usual beginning of an enter event, up to the first value that is not a scalar. The
 * position is kept in a register, and the end of the window is checked only once for each value. Whatever is
 * not of the usual form is left to the parser's general functions; this includes the end of the window.
 */
#ifndef TRACE_PARSER_FAST_PATH_H
#define TRACE_PARSER_FAST_PATH_H

#include "formats/apitrace/parse/parser_bytes.h"

#include <string.h>

#define FAST_BYTES 32 /* the highest number of bytes that are parsed without a check */

/* Parses a number of at most eight bytes. Returns the position after it, or NULL if it is longer. */
static inline const uint8_t *parse_fast_uint(const uint8_t *p, uint64_t *out)
{
    if (*p < 0x80) {
        *out = *p;
        return p + 1;
    }
    size_t used = varint_get_short(p, out);
    return used != 0 ? p + used : NULL;
}

static inline const uint8_t *parse_fast_enum(struct trace_parser *s, const uint8_t *p,
                                             struct trace_value *out)
{
    uint64_t id;
    uint64_t value = 0;
    p = parse_fast_uint(p, &id);
    if (p == NULL || id >= TRACE_SIG_DENSE || *p != TRACE_UINT || s->version < 3)
        return NULL;
    const struct trace_enum_sig *sig = trace_signatures_find(&s->sigs, TRACE_SIG_ENUM, (uint32_t)id);
    p = parse_fast_uint(p + 1, &value);
    *out = (struct trace_value){
        .type = TRACE_ENUM, .element = TRACE_NONE, .u.uint = value, .sig.enumeration = sig};
    return sig != NULL ? p : NULL;
}

/* Parses a scalar. Returns the position after it, or NULL. */
static inline const uint8_t *parse_fast_value(struct trace_parser *s, const uint8_t *p,
                                              struct trace_value *out)
{
    uint8_t tag = *p++;
    uint64_t payload = 0;
    uint32_t bits;
    switch (tag) {
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
        break;
    case TRACE_UINT:
    case TRACE_OPAQUE:
        p = parse_fast_uint(p, &payload);
        break;
    case TRACE_FLOAT:
        memcpy(&bits, p, sizeof bits);
        payload = bits;
        p += sizeof bits;
        break;
    case TRACE_DOUBLE:
        memcpy(&payload, p, sizeof payload);
        p += sizeof payload;
        break;
    case TRACE_ENUM:
        return parse_fast_enum(s, p, out);
    default:
        return NULL;
    }
    *out = (struct trace_value){.type = tag, .element = TRACE_NONE, .u.uint = payload};
    return p;
}

/* Parses the thread and the id of a known function. Returns NULL if the general functions are needed. */
static inline const struct trace_function_sig *parse_fast_head(struct trace_parser *s, uint32_t *thread)
{
    uint64_t id;
    const uint8_t *p = s->p;
    if (trace_parser_left(s) < FAST_BYTES || s->version < 4 || *p >= 0x80)
        return NULL;
    *thread = *p;
    p = parse_fast_uint(p + 1, &id);
    if (p == NULL || id >= TRACE_SIG_DENSE)
        return NULL;
    const struct trace_function_sig *sig = trace_signatures_find(&s->sigs, TRACE_SIG_FUNCTION, (uint32_t)id);
    if (sig != NULL)
        s->p = p;
    return sig;
}

/* Parses consecutive arguments, starting with argument 0. Returns how many there are. */
static inline uint32_t parse_fast_args(struct trace_parser *s, struct trace_value *args, uint32_t count)
{
    const uint8_t *p = s->p;
    uint32_t i = 0;
    while (i < count && s->end - p >= FAST_BYTES && p[0] == TRACE_DETAIL_ARG && p[1] == i && i < 0x80) {
        const uint8_t *next = parse_fast_value(s, p + 2, &args[i]);
        if (next == NULL)
            break;
        p = next;
        ++i;
    }
    s->p = p;
    return i;
}

#endif
