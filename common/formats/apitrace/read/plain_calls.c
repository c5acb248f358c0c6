/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/plain_calls.h"

#include "formats/apitrace/parse/parser_fast_path.h"
#include "formats/apitrace/read/reader_state.h"

#define ALWAYS_INLINE __attribute__((always_inline))

enum {
    HEAD_BYTES = 4,    /* the most bytes of an enter event before its details: tag, thread, function id */
    DETAIL_BYTES = 2,  /* of an argument before its value: tag, index */
    NUMBER_BYTES = 20, /* the most bytes of a number: an enum has two tags and two integers */
    ARRAY_BYTES = 2,   /* of an array before its elements: tag, number of elements */
};

/* The end of a call between its arguments and its return value, with the tag of that. */
_Static_assert(1 + TRACE_LEAVE_HEAD_BYTES + 1 + NUMBER_BYTES + 1 <= FAST_BYTES,
               "the end of a call must be within the bytes that are checked once");
_Static_assert(sizeof(struct trace_plain_run) % sizeof(uint64_t) == 0, "arguments are aligned");

/* --- numbers: each function is given the position after the tag, and returns that after the number -------
 */

static const uint8_t *read_bitmask(const struct trace_parser *s, const uint8_t *p, uint64_t *value)
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
    if (p != NULL)
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

/* Reads an integer with its tag. Returns NULL if it is something else. */
static inline ALWAYS_INLINE const uint8_t *read_integer(struct trace_parser *s, const uint8_t *p,
                                                        uint64_t *value)
{
    switch (*p++) {
    case TRACE_UINT:
    case TRACE_OPAQUE:
        return parse_fast_uint(p, value);
    case TRACE_ENUM:
        return read_enum(s, p, value);
    case TRACE_SINT:
        return read_negative(p, value);
    case TRACE_BITMASK:
        return read_bitmask(s, p, value);
    case TRACE_NULL:
    case TRACE_FALSE:
        *value = 0;
        return p;
    case TRACE_TRUE:
        *value = 1;
        return p;
    default:
        return NULL;
    }
}

/* Some integers are recorded where a function takes a float: enums, above all. */
static const uint8_t *read_integer_as_float(struct trace_parser *s, const uint8_t *p, float *value)
{
    uint64_t integer;
    bool is_signed = *p == TRACE_SINT || *p == TRACE_ENUM;
    p = read_integer(s, p, &integer);
    if (p != NULL)
        *value = is_signed ? (float)(double)(int64_t)integer : (float)(double)integer;
    return p;
}

static inline ALWAYS_INLINE const uint8_t *read_float(struct trace_parser *s, const uint8_t *p, void *out)
{
    if (*p == TRACE_FLOAT) {
        memcpy(out, p + 1, sizeof(float));
        return p + 1 + sizeof(float);
    }
    float value;
    p = read_integer_as_float(s, p, &value);
    if (p != NULL)
        memcpy(out, &value, sizeof value);
    return p;
}

static const uint8_t *read_double(const uint8_t *p, void *out)
{
    if (*p != TRACE_DOUBLE)
        return NULL;
    memcpy(out, p + 1, sizeof(double));
    return p + 1 + sizeof(double);
}

/* --- arguments ------------------------------------------------------------------------------------- */

static uint32_t extend(enum trace_plain_kind kind, uint64_t value)
{
    switch (kind) {
    case TRACE_PLAIN_I8:
        return (uint32_t)(int8_t)value;
    case TRACE_PLAIN_U8:
        return (uint8_t)value;
    case TRACE_PLAIN_I16:
        return (uint32_t)(int16_t)value;
    case TRACE_PLAIN_U16:
        return (uint16_t)value;
    default:
        return (uint32_t)value;
    }
}

static inline ALWAYS_INLINE const uint8_t *read_value(struct trace_parser *s, const uint8_t *p,
                                                      enum trace_plain_kind kind, void *out)
{
    uint64_t value;
    if (kind == TRACE_PLAIN_F32)
        return read_float(s, p, out);
    if (kind == TRACE_PLAIN_F64)
        return read_double(p, out);
    p = read_integer(s, p, &value);
    if (p == NULL || (kind == TRACE_PLAIN_ONE && value != 1))
        return NULL;
    if (kind == TRACE_PLAIN_64) {
        memcpy(out, &value, sizeof value);
        return p;
    }
    uint32_t narrow = kind == TRACE_PLAIN_32 ? (uint32_t)value : extend(kind, value);
    memcpy(out, &narrow, sizeof narrow);
    return p;
}

static size_t element_size(enum trace_plain_kind kind)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 8, 4, 8, 4};
    return sizes[kind];
}

static inline ALWAYS_INLINE const uint8_t *read_elements(struct trace_parser *s, const uint8_t *p,
                                                         enum trace_plain_kind kind, unsigned count,
                                                         uint8_t *out)
{
    size_t size = element_size(kind);
    for (unsigned i = 0; i < count && p != NULL; ++i, out += size) {
        uint64_t element = 0;
        p = read_value(s, p, kind, &element);
        memcpy(out, &element, size); /* of a narrow one, the first bytes of the extended one */
    }
    return p;
}

static const uint8_t *read_floats(const uint8_t *p, unsigned count, uint8_t *out)
{
    for (unsigned i = 0; i < count; ++i, p += 1 + sizeof(float), out += sizeof(float)) {
        if (*p != TRACE_FLOAT)
            return NULL;
        memcpy(out, p + 1, sizeof(float));
    }
    return p;
}

static const uint8_t *read_array(struct trace_parser *s, const uint8_t *p,
                                 const struct trace_plain_param *param, uint8_t *out)
{
    if (p[0] != TRACE_ARRAY || p[1] != param->count)
        return NULL;
    p += ARRAY_BYTES;
    if (param->kind == TRACE_PLAIN_F32)
        return read_floats(p, param->count, out);
    return read_elements(s, p, (enum trace_plain_kind)param->kind, param->count, out);
}

static inline ALWAYS_INLINE const uint8_t *read_args(struct trace_parser *s, const uint8_t *p,
                                                     const struct trace_plain_param *params, uint32_t count,
                                                     uint8_t *out)
{
    for (uint32_t i = 0; i < count && p != NULL; ++i) {
        const struct trace_plain_param *param = &params[i];
        if (p[0] != TRACE_DETAIL_ARG || p[1] != i)
            return NULL;
        p += DETAIL_BYTES;
        if (param->count == 0)
            p = read_value(s, p, (enum trace_plain_kind)param->kind, out + param->offset);
        else
            p = read_array(s, p, param, out + param->offset);
    }
    return p;
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* What calls returned is not kept. */
static const uint8_t *pass_result(struct trace_parser *s, const uint8_t *p)
{
    uint64_t value;
    float number;
    if (*p == TRACE_FLOAT)
        return read_float(s, p, &number);
    return *p == TRACE_DOUBLE ? read_double(p, &value) : read_integer(s, p, &value);
}

/* Reads what follows the arguments. */
static inline ALWAYS_INLINE const uint8_t *read_end(struct trace_parser *s, const uint8_t *p,
                                                    const struct trace_leave_head *leave)
{
    if (*p++ != TRACE_DETAIL_END || !trace_leave_head_fits(leave, p))
        return NULL;
    p += leave->size;
    if (*p == TRACE_DETAIL_RET && (p = pass_result(s, p + 1)) == NULL)
        return NULL;
    return *p++ == TRACE_DETAIL_END ? p : NULL;
}

/* The beginning of enter events of one function in one thread. */
struct head {
    uint32_t bytes, mask;
    unsigned size;
};

static size_t longest_call(const struct trace_plain_known *known)
{
    size_t size = HEAD_BYTES + FAST_BYTES + (known->floats.count > 0 ? TRACE_SHAPE_BYTES : 0);
    for (uint32_t i = 0; i < known->sig->arg_count; ++i) {
        unsigned elements = known->function->params[i].count;
        size += DETAIL_BYTES + (elements > 0 ? ARRAY_BYTES + elements * NUMBER_BYTES : NUMBER_BYTES);
    }
    return size;
}

static void know(struct trace_plain_calls *c, struct trace_plain_known *known,
                 const struct trace_function_sig *sig)
{
    known->sig = sig;
    known->function = c->find(c->context, sig);
    if (known->function == NULL)
        return;
    trace_plain_floats_init(&known->floats, known->function, sig->arg_count);
    known->longest = longest_call(known);
}

/* Looks up the function that is entered at p, whose HEAD_BYTES are readable. Returns NULL if its calls are no
 * plain ones. */
static const struct trace_plain_known *enter(struct trace_plain_calls *c, struct trace_parser *s,
                                             const uint8_t *p, struct head *head)
{
    unsigned more = p[2] >> 7; /* size of the id */
    uint32_t id = (p[2] & 0x7fu) | (uint32_t)(p[3] & 0x7f & (0u - more)) << 7;
    bool is_short = ((p[1] | (p[3] & (0u - more))) & 0x80) == 0;
    const uint8_t mask[HEAD_BYTES] = {0xff, 0xff, 0xff, more != 0 ? 0xff : 0};
    if (p[0] != TRACE_RAW_EVENT_ENTER || !is_short)
        return NULL;
    const struct trace_function_sig *sig = trace_signatures_find(&s->sigs, TRACE_SIG_FUNCTION, id);
    struct trace_plain_known *known = &c->recent[id % TRACE_PLAIN_RECENT];
    if (sig == NULL || sig->arg_count > TRACE_PLAIN_ARGS || (sig->flags & TRACE_CALL_END_FRAME) != 0)
        return NULL;
    if (known->sig != sig)
        know(c, known, sig);
    if (known->function == NULL)
        return NULL;
    memcpy(&head->mask, mask, sizeof mask);
    memcpy(&head->bytes, p, sizeof head->bytes);
    head->bytes &= head->mask;
    head->size = 3 + more;
    return known;
}

static inline bool has_head(const uint8_t *p, const struct head *head)
{
    uint32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return ((bytes ^ head->bytes) & head->mask) == 0;
}

/* Where calls of a run are read from and stored. */
struct run_place {
    const uint8_t *p, *window_end;
    uint8_t *args, *end; /* the room for arguments */
};

/* Reads calls of the function that is entered at the place. in_floats: only those whose arguments are floats.
 * Two functions are made of this, since the shorter one has enough registers. Returns the number of calls. */
static inline ALWAYS_INLINE uint32_t read_calls(struct trace_plain_calls *c,
                                                const struct trace_plain_known *known, const struct head head,
                                                struct run_place *place, bool in_floats)
{
    struct trace_parser *s = &c->reader->cursor.stream.parser;
    const size_t size = known->function->size, longest = known->longest;
    struct run_place at = *place;
    struct trace_leave_head leave = c->leave;
    uint32_t count = 0;
    for (; (size_t)(at.window_end - at.p) >= longest && has_head(at.p, &head) &&
           (size_t)(at.end - at.args) >= size && leave.number + 1 < TRACE_LEAVE_HEAD_CALLS;
         at.args += size, ++count) {
        const uint8_t *next = at.p + head.size;
        next = in_floats ? trace_plain_floats_read(&known->floats, next, at.args)
                         : read_args(s, next, known->function->params, known->sig->arg_count, at.args);
        if (next == NULL || (next = read_end(s, next, &leave)) == NULL)
            break;
        at.p = next;
        trace_leave_head_next(&leave);
    }
    *place = at;
    c->leave = leave;
    return count;
}

static __attribute__((noinline)) uint32_t read_float_calls(struct trace_plain_calls *c,
                                                           const struct trace_plain_known *known,
                                                           const struct head head, struct run_place *place)
{
    return read_calls(c, known, head, place, true);
}

static __attribute__((noinline)) uint32_t read_any_calls(struct trace_plain_calls *c,
                                                         const struct trace_plain_known *known,
                                                         const struct head head, struct run_place *place)
{
    return read_calls(c, known, head, place, false);
}

/* Reads calls of the function that is entered at p into the bytes from `run` to `end`. Returns the position
 * after them. */
static const uint8_t *read_run(struct trace_plain_calls *c, const uint8_t *p,
                               const struct trace_plain_known *known, const struct head head,
                               struct trace_plain_run *run, uint8_t *end)
{
    struct run_place place = {p, c->reader->cursor.stream.parser.end, (uint8_t *)(run + 1), end};
    uint32_t count = known->floats.count > 0 ? read_float_calls(c, known, head, &place) : 0;
    if (count == 0)
        count = read_any_calls(c, known, head, &place);
    *run = (struct trace_plain_run){known->function->owner, count, known->function->size};
    return place.p;
}

/* Reads the next run. Returns the room that it takes; 0: there is none. */
static size_t read_next(struct trace_plain_calls *c, uint8_t *at, uint8_t *end, struct trace_plain_part *out)
{
    struct trace_parser *s = &c->reader->cursor.stream.parser;
    struct trace_plain_run *run = (struct trace_plain_run *)(void *)at;
    struct head head;
    if (s->end - s->p < HEAD_BYTES || (size_t)(end - at) < sizeof *run ||
        (out->count > 0 && s->p[1] != out->thread))
        return 0;
    const struct trace_plain_known *known = enter(c, s, s->p, &head);
    if (known == NULL)
        return 0;
    out->thread = s->p[1];
    s->p = read_run(c, s->p, known, head, run, end);
    out->count += run->count;
    return run->count > 0 ? trace_plain_run_size(run) : 0;
}

/* Nothing is to be done between events. */
static bool is_simple(const struct trace_reader *r)
{
    const struct trace_cursor *c = &r->cursor;
    return !c->ended && c->final.code == 0 && !c->stream.parser.damaged && c->stream.version >= 4 &&
           !c->times.known && !r->jumped && c->jump_at == UINT64_MAX && r->first_number == 0 &&
           c->first_offset == 0 && r->first_frame == 0 && c->next_number < TRACE_LEAVE_HEAD_CALLS;
}

/* Calls that end frames are no plain ones. */
static void pass(struct trace_reader *r, uint32_t count)
{
    r->cursor.next_number += count;
    r->call_frame = r->frames;
    r->frame_calls += count;
}

void trace_plain_calls_read(struct trace_plain_calls *c, void *memory, size_t room,
                            struct trace_plain_part *out)
{
    struct trace_reader *r = c->reader;
    *out = (struct trace_plain_part){.first = memory, .number = r->cursor.next_number};
    if (!is_simple(r))
        return;
    if (c->leave.size == 0 || c->leave.number != out->number)
        trace_leave_head_init(&c->leave, out->number);
    uint8_t *at = memory, *end = at + (room & ~(size_t)7);
    for (size_t size; (size = read_next(c, at, end, out)) > 0;)
        at += size;
    out->size = (uint32_t)(at - (uint8_t *)memory);
    if (out->count > 0)
        pass(r, out->count);
}
