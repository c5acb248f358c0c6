/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/plain_calls.h"

#include "formats/apitrace/parse/parser_fast_path.h"
#include "formats/apitrace/read/reader_state.h"

/* The end of a call between its arguments and its return value, with the tag of that, and the longest number,
 * an enum: two tags and two integers. */
_Static_assert(1 + TRACE_LEAVE_HEAD_BYTES + 1 + 2 + 2 * sizeof(uint64_t) <= FAST_BYTES,
               "the end of a call must be within the bytes that are checked once");

static inline bool has_bytes(const struct trace_parser *s, const uint8_t *p)
{
    return s->end - p >= FAST_BYTES;
}

static const uint8_t *read_bitmask(struct trace_parser *s, const uint8_t *p, uint64_t *value)
{
    uint64_t id;
    p = parse_fast_uint(p, &id);
    if (p == NULL || id >= TRACE_SIG_DENSE ||
        trace_signatures_find(&s->sigs, TRACE_SIG_BITMASK, (uint32_t)id) == NULL)
        return NULL;
    return parse_fast_uint(p, value);
}

static const uint8_t *read_negative(const uint8_t *p, uint64_t *value)
{
    p = parse_fast_uint(p, value);
    *value = 0 - *value;
    return p;
}

static const uint8_t *read_enum(struct trace_parser *s, const uint8_t *p, uint64_t *value)
{
    struct trace_value v;
    p = parse_fast_enum(s, p, &v);
    if (p != NULL)
        *value = v.u.uint;
    return p;
}

/* Reads a number with its tag. Returns the position after it, or NULL if it is something else. */
static inline const uint8_t *read_number(struct trace_parser *s, const uint8_t *p, uint8_t *type,
                                         uint64_t *value)
{
    uint32_t bits;
    *type = *p++;
    *value = 0;
    switch (*type) {
    case TRACE_FLOAT:
        memcpy(&bits, p, sizeof bits);
        *value = bits;
        return p + sizeof bits;
    case TRACE_UINT:
    case TRACE_OPAQUE:
        return parse_fast_uint(p, value);
    case TRACE_ENUM:
        return read_enum(s, p, value);
    case TRACE_SINT:
        return read_negative(p, value);
    case TRACE_BITMASK:
        return read_bitmask(s, p, value);
    case TRACE_DOUBLE:
        memcpy(value, p, sizeof *value);
        return p + sizeof *value;
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
        return p;
    default:
        return NULL;
    }
}

static const uint8_t *read_args(struct trace_parser *s, const uint8_t *p, struct trace_plain_call *out)
{
    for (uint32_t i = 0; i < out->sig->arg_count; ++i) {
        if (!has_bytes(s, p) || p[0] != TRACE_DETAIL_ARG || p[1] != i)
            return NULL;
        p = read_number(s, p + 2, &out->types[i], &out->values[i]);
        if (p == NULL)
            return NULL;
    }
    return p;
}

/* Reads what follows the arguments. */
static const uint8_t *read_end(const struct trace_plain_calls *c, struct trace_parser *s, const uint8_t *p)
{
    uint8_t type;
    uint64_t value;
    if (!has_bytes(s, p) || *p++ != TRACE_DETAIL_END || !trace_leave_head_fits(&c->leave, p))
        return NULL;
    p += c->leave.size;
    if (*p == TRACE_DETAIL_RET && (p = read_number(s, p + 1, &type, &value)) == NULL)
        return NULL;
    return *p++ == TRACE_DETAIL_END ? p : NULL;
}

/* The thread and the function. */
static const uint8_t *read_head(struct trace_parser *s, const uint8_t *p, struct trace_plain_call *out)
{
    uint64_t id;
    if (!has_bytes(s, p) || p[0] != TRACE_RAW_EVENT_ENTER || p[1] >= 0x80)
        return NULL;
    out->thread = p[1];
    p = parse_fast_uint(p + 2, &id);
    if (p == NULL || id >= TRACE_SIG_DENSE)
        return NULL;
    out->sig = trace_signatures_find(&s->sigs, TRACE_SIG_FUNCTION, (uint32_t)id);
    return out->sig != NULL && out->sig->arg_count <= TRACE_PLAIN_ARGS ? p : NULL;
}

/* Nothing is to be done between events. */
static bool is_simple(const struct trace_reader *r)
{
    const struct trace_cursor *c = &r->cursor;
    return !c->ended && c->final.code == 0 && !c->stream.parser.damaged && c->stream.version >= 4 &&
           !c->times.known && !r->jumped && c->jump_at == UINT64_MAX && r->first_number == 0 &&
           c->first_offset == 0 && r->first_frame == 0 && c->next_number < TRACE_LEAVE_HEAD_CALLS;
}

static void pass(struct trace_reader *r, const uint8_t *p, const struct trace_function_sig *sig)
{
    bool ends_frame = (sig->flags & TRACE_CALL_END_FRAME) != 0;
    r->cursor.stream.parser.p = p;
    r->cursor.next_number++;
    r->call_frame = r->frames;
    r->frames += ends_frame;
    r->frame_calls = ends_frame ? 0 : r->frame_calls + 1;
}

bool trace_plain_calls_next(struct trace_plain_calls *c, struct trace_plain_call *out)
{
    struct trace_reader *r = c->reader;
    struct trace_parser *s = &r->cursor.stream.parser;
    if (!is_simple(r))
        return false;
    const uint8_t *p = read_head(s, s->p, out);
    if (p == NULL || !c->wants(c->context, out->sig))
        return false;
    out->number = r->cursor.next_number;
    if (c->leave.size == 0 || c->leave.number != out->number)
        trace_leave_head_init(&c->leave, out->number);
    p = read_args(s, p, out);
    if (p != NULL)
        p = read_end(c, s, p);
    if (p == NULL)
        return false;
    pass(r, p, out->sig);
    trace_leave_head_next(&c->leave);
    return true;
}
