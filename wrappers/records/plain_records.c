/* SPDX-License-Identifier: MIT */
#include "records/plain_records.h"

#include "base/error.h"
#include "formats/apitrace/scalar_values.h"
#include "records/record.h"

#include <stdlib.h>

#define MAX_PARAMS      16 /* records of functions with more are not plain */
#define NO_SELECTOR     MAX_PARAMS
#define SYMBOL_SLOTS    512 /* a power of two */
#define SYMBOL_BYTES    RECORD_SYMBOL_BYTES
#define MAX_ID_BYTES    4
#define PREFIX_BYTES    2   /* of an argument: its detail's tag and its index */
#define BACKTRACE_BYTES 256 /* calls with longer ones are not plain */
/* Of a call: both of its events, at most; without and with an array. */
#define CALL_BYTES  (2 + 2 * VARINT_MAX_BYTES + MAX_PARAMS * (PREFIX_BYTES + SYMBOL_BYTES) + 32)
#define EVENT_BYTES (CALL_BYTES + RECORD_SHORT_ARRAY * SYMBOL_BYTES)

enum plain_kind {
    PLAIN_UINT,
    PLAIN_SINT,
    PLAIN_FLOAT,
    PLAIN_DOUBLE,
    PLAIN_POINTER,
    PLAIN_SYMBOL, /* an enum or bitmask, perhaps depending on another argument */
    PLAIN_ARRAY,
    PLAIN_NOTHING,
};

struct plain_function {
    /* The first eight bytes of its records without flags; 0: they are not plain. */
    uint64_t enter, leave;
    uint8_t id[MAX_ID_BYTES]; /* as a varint */
    uint8_t id_size;
    uint8_t param_count;
    uint8_t selector; /* index of the argument that decides what others mean, or NO_SELECTOR */
    uint8_t result;   /* enum plain_kind */
    uint8_t kinds[MAX_PARAMS];
    uint8_t element_size; /* bytes; of the only array. 0: there is none. `enter` has a size of 0 then */
    uint8_t element_kind;
    bool is_void; /* scalars go in, and nothing comes out */
};

/* The bytes of a value that has a name. */
struct plain_symbol {
    int64_t value;
    int64_t selector;
    const struct spec_param *param;
    uint8_t size; /* 0: the slot is free */
    uint8_t bytes[SYMBOL_BYTES];
};

int plain_encoder_init(struct plain_encoder *p)
{
    p->event_count = 0;
    p->functions = calloc(spec_function_count, sizeof *p->functions);
    p->symbols = calloc(SYMBOL_SLOTS, sizeof *p->symbols);
    if (p->functions != NULL && p->symbols != NULL)
        return 0;
    plain_encoder_fini(p);
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory: signature tables");
}

void plain_encoder_fini(struct plain_encoder *p)
{
    free(p->functions);
    free(p->symbols);
    p->functions = NULL;
    p->symbols = NULL;
}

/* --- what is known of a function -------------------------------------------------------------------- */

static enum plain_kind kind_of_type(enum spec_type type)
{
    switch (type) {
    case SPEC_I8:
    case SPEC_I16:
    case SPEC_I32:
    case SPEC_I64:
    case SPEC_IPTR:
        return PLAIN_SINT;
    case SPEC_F32:
        return PLAIN_FLOAT;
    case SPEC_F64:
        return PLAIN_DOUBLE;
    case SPEC_PTR:
        return PLAIN_POINTER;
    default:
        return PLAIN_UINT;
    }
}

static bool is_symbolic(const struct spec_param *p)
{
    return (p->flags & (SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK)) != 0 || p->selector != SPEC_NO_INDEX;
}

static enum plain_kind kind_of(const struct spec_param *p)
{
    if (p->form == SPEC_FORM_OPAQUE)
        return PLAIN_POINTER;
    if (p->form == SPEC_FORM_ARRAY)
        return PLAIN_ARRAY;
    return is_symbolic(p) ? PLAIN_SYMBOL : kind_of_type(p->type);
}

static bool has_plain_enter(const struct spec_function *f)
{
    return (f->flags & (SPEC_FUNCTION_SCALAR | SPEC_FUNCTION_ONE_ARRAY)) != 0 && f->param_count <= MAX_PARAMS;
}

/* Its arguments do not matter, unless they are output parameters. */
static bool has_plain_leave(const struct spec_function *f)
{
    return (f->flags & (SPEC_FUNCTION_HAS_OUT | SPEC_FUNCTION_END_FRAME)) == 0 && record_is_scalar(&f->ret) &&
           f->ret.selector == SPEC_NO_INDEX;
}

/* The first eight bytes of struct record, as they lie in memory. */
static uint64_t first_bytes(const struct spec_function *f, enum record_kind kind, unsigned words)
{
    const struct record r = {
        .size = (uint32_t)(sizeof r + words * sizeof(uint64_t)), .function = f->id, .kind = (uint8_t)kind};
    uint64_t bytes;
    _Static_assert(offsetof(struct record, order) == sizeof bytes, "what all records share comes first");
    memcpy(&bytes, &r, sizeof bytes);
    return bytes;
}

static void learn_enter(struct plain_function *p, const struct spec_function *f)
{
    p->param_count = f->param_count;
    p->selector = NO_SELECTOR;
    for (unsigned i = 0; i < f->param_count; ++i) {
        const struct spec_param *param = spec_param(f, i);
        p->kinds[i] = (uint8_t)kind_of(param);
        if (param->selector != SPEC_NO_INDEX && p->selector == NO_SELECTOR)
            p->selector = (uint8_t)param->selector;
    }
    p->enter = first_bytes(f, RECORD_ENTER, f->param_count);
    p->is_void = p->result == PLAIN_NOTHING && (f->flags & SPEC_FUNCTION_ONE_ARRAY) == 0;
    if ((f->flags & SPEC_FUNCTION_ONE_ARRAY) != 0) {
        const struct spec_param *array = spec_param(f, f->array);
        p->enter &= ~(uint64_t)UINT32_MAX;
        p->element_size = f->array_size;
        p->element_kind = (uint8_t)(is_symbolic(array) ? PLAIN_SYMBOL : kind_of_type(array->type));
    }
}

void plain_encoder_learn(struct record_encoder *e, const struct spec_function *f)
{
    struct plain_function *p = &e->plain.functions[f->id];
    uint8_t id[VARINT_MAX_BYTES];
    size_t id_size = varint_put(id, f->id);
    bool is_watched = (e->watched != NULL && e->watched[f->id]) || (e->told != NULL && e->told[f->id]);
    if (!has_plain_leave(f) || id_size > MAX_ID_BYTES || e->values.events.id_of != NULL || is_watched)
        return;
    bool returns = !record_returns_nothing(f);
    memcpy(p->id, id, id_size);
    p->id_size = (uint8_t)id_size;
    p->result = returns ? (uint8_t)kind_of(&f->ret) : PLAIN_NOTHING;
    p->leave = first_bytes(f, RECORD_LEAVE, returns);
    if (has_plain_enter(f))
        learn_enter(p, f);
}

/* --- values ------------------------------------------------------------------------------------------ */

static struct plain_symbol *symbol_slot(struct record_encoder *e, const struct spec_param *param,
                                        int64_t selector, int64_t value)
{
    uint64_t hash = ((uint64_t)value + 31 * (uint64_t)selector + 961 * (uint64_t)(param - spec_params)) *
                    UINT64_C(0x9e3779b97f4a7c15);
    return &e->plain.symbols[hash >> 32 & (SYMBOL_SLOTS - 1)];
}

/* NULL: a signature has to be written first. */
static uint8_t *put_symbol(struct record_encoder *e, uint8_t *p, const struct spec_param *param,
                           int64_t selector, union spec_arg v)
{
    struct plain_symbol *s = symbol_slot(e, param, selector, v.i);
    if (s->size == 0 || s->value != v.i || s->param != param || s->selector != selector) {
        s->size = (uint8_t)record_put_symbol(&e->values, param, selector, v, s->bytes);
        s->value = v.i;
        s->param = param;
        s->selector = selector;
        if (s->size == 0)
            return NULL;
    }
    memcpy(p, s->bytes, SYMBOL_BYTES);
    return p + s->size;
}

static inline uint8_t *put_value(struct record_encoder *e, uint8_t *p, enum plain_kind kind,
                                 const struct spec_param *param, int64_t selector, union spec_arg v)
{
    switch (kind) {
    case PLAIN_SINT:
        return trace_put_sint(p, v.i);
    case PLAIN_FLOAT:
        return trace_put_float(p, &v.f32);
    case PLAIN_DOUBLE:
        return trace_put_double(p, v.f64);
    case PLAIN_POINTER:
        return trace_put_opaque(p, v.u);
    case PLAIN_SYMBOL:
        return put_symbol(e, p, param, selector, v);
    default:
        return trace_put_uint(p, v.u);
    }
}

/* --- events ------------------------------------------------------------------------------------------ */

static union spec_arg word_at(const uint8_t *body, unsigned index)
{
    union spec_arg word;
    memcpy(&word, body + index * sizeof word, sizeof word);
    return word;
}

/* Returns the size of a body that has an array with so many elements. */
static uint64_t body_with_array(const struct plain_function *plain, uint64_t count)
{
    return plain->param_count * sizeof(union spec_arg) + sizeof count +
           RECORD_PAD(count * plain->element_size);
}

/* Returns the number of elements if it is the ENTER of a function with an array that is short; otherwise 0.
 */
static uint64_t short_array_count(const struct plain_function *plain, const struct record *r, uint64_t first,
                                  const uint8_t *body)
{
    uint64_t size = r->size - sizeof *r;
    if (plain->element_size == 0 || (first & ~(uint64_t)UINT32_MAX) != plain->enter ||
        size <= body_with_array(plain, 0))
        return 0;
    uint64_t count = word_at(body, plain->param_count).u;
    return count <= RECORD_SHORT_ARRAY && size == body_with_array(plain, count) ? count : 0;
}

static uint8_t *put_floats(uint8_t *p, const uint8_t *elements, uint64_t count)
{
    for (uint64_t i = 0; i < count; ++i)
        p = trace_put_float(p, elements + i * sizeof(float));
    return p;
}

/* NULL as put_symbol(). */
static uint8_t *put_array(struct record_encoder *e, uint8_t *p, const struct plain_function *plain,
                          const struct spec_param *param, int64_t selector, const uint8_t *elements,
                          uint64_t count)
{
    p = trace_put_tagged(p, TRACE_ARRAY, count);
    if (plain->element_kind == PLAIN_FLOAT)
        return put_floats(p, elements, count);
    for (uint64_t i = 0; i < count && p != NULL; ++i) {
        union spec_arg v;
        spec_load(param->type, elements, i, &v);
        p = put_value(e, p, plain->element_kind, param, selector, v);
    }
    return p;
}

/* NULL when its frames have to be written, or are many. */
static uint8_t *put_backtrace(const struct record_thread *t, uint8_t *p, uint16_t function)
{
    uint32_t size;
    const uint8_t *bytes = ring_stacks_known(t->stacks, function, &size);
    if (bytes == NULL || size > BACKTRACE_BYTES)
        return NULL;
    memcpy(p, bytes, size);
    return p + size;
}

/* A float argument is written at once: what it is, its index, its type and its bytes. */
static inline uint8_t *put_float_argument(uint8_t *p, unsigned index, uint64_t word)
{
    _Static_assert(sizeof(float) + PREFIX_BYTES + 1 <= sizeof word, "the last byte is overwritten");
    word = TRACE_DETAIL_ARG | index << 8 | TRACE_FLOAT << 16 | word << 24;
    memcpy(p, &word, sizeof word);
    return p + PREFIX_BYTES + 1 + sizeof(float);
}

/* elements: how many the array has, if there is one. NULL as put_symbol(). */
static inline uint8_t *put_arguments(struct record_encoder *e, uint8_t *p, const struct plain_function *plain,
                                     const struct spec_param *params, int64_t selector, const uint8_t *body,
                                     uint64_t elements)
{
    for (unsigned i = 0; i < plain->param_count && p != NULL; ++i) {
        if (plain->kinds[i] == PLAIN_FLOAT) {
            p = put_float_argument(p, i, word_at(body, i).u);
            continue;
        }
        p[0] = TRACE_DETAIL_ARG;
        p[1] = (uint8_t)i;
        p += PREFIX_BYTES;
        if (plain->kinds[i] != PLAIN_ARRAY)
            p = put_value(e, p, plain->kinds[i], &params[i], selector, word_at(body, i));
        else
            p = put_array(e, p, plain, &params[i], selector, body + body_with_array(plain, 0), elements);
    }
    return p;
}

/* NULL as put_symbol(). */
static uint8_t *put_enter(struct record_encoder *e, struct record_thread *t, uint8_t *p,
                          const struct plain_function *plain, uint16_t function, int64_t selector,
                          const uint8_t *body, uint64_t elements)
{
    *p++ = TRACE_RAW_EVENT_ENTER;
    p += varint_put(p, t->number);
    memcpy(p, plain->id, MAX_ID_BYTES);
    p += plain->id_size;
    if (__builtin_expect(t->stacks != NULL, 0)) {
        p = put_backtrace(t, p, function);
        if (p == NULL)
            return NULL;
    }
    p = put_arguments(e, p, plain, spec_param(&spec_functions[function], 0), selector, body, elements);
    if (p == NULL)
        return NULL;
    *p++ = TRACE_DETAIL_END;
    if (__builtin_expect(t->stacks != NULL, 0))
        t->stacks->next = NULL;
    return p;
}

static uint8_t *put_leave(struct record_encoder *e, struct record_thread *t, uint8_t *p,
                          const struct plain_function *plain, uint16_t function, const uint8_t *body)
{
    if (t->depth == 0 || t->open[t->depth - 1].function != function ||
        t->open[t->depth - 1].call == RECORD_LEFT_OUT)
        return NULL;
    *p++ = TRACE_RAW_EVENT_LEAVE;
    p += varint_put(p, t->open[t->depth - 1].call);
    if (plain->result != PLAIN_NOTHING) {
        *p++ = TRACE_DETAIL_RET;
        p = put_value(e, p, plain->result, &spec_functions[function].ret, 0, word_at(body, 0));
        if (p == NULL)
            return NULL;
    }
    *p++ = TRACE_DETAIL_END;
    t->depth--;
    return p;
}

void plain_records_tell(struct record_encoder *e)
{
    struct plain_encoder *p = &e->plain;
    if (p->event_count > 0 && e->plain_hook != NULL)
        e->plain_hook(e->hook_context, p->events, p->event_count, e->stream_size);
    p->event_count = 0;
}

/* The event of the call that ends at p has been written behind the others. */
static inline void add_event(struct record_encoder *e, const uint8_t *p, uint64_t call, uint64_t ticks,
                             bool is_leave)
{
    struct plain_encoder *plain = &e->plain;
    size_t size = (size_t)(p - e->out.data) - e->out.len;
    e->out.len += size;
    e->stream_size += size;
    plain->events[plain->event_count++] = (struct trace_plain_event){call, (int64_t)ticks, is_leave};
    if (plain->event_count == PLAIN_EVENTS)
        plain_records_tell(e);
}

/* Is it a record of a stack that is known? It has no place in the order. */
static bool take_stack(struct record_thread *t, const struct record *r, size_t size)
{
    if (r->kind != RECORD_STACK || r->size != sizeof *r || size < sizeof *r || t->stacks == NULL ||
        r->flags != 0)
        return false;
    ring_stacks_take_number(t->stacks, r);
    return true;
}

/* Records in a ring, and what has been done with them. */
struct plain_run {
    struct record_encoder *e;
    struct record_thread *t;
    const uint8_t *at, *end;
    uint64_t order; /* the next one's */
    uint64_t full_time;
};

/* Is the next record the LEAVE of the call, without a result? */
static inline bool is_left_next(const struct plain_run *run, const struct plain_function *plain,
                                struct record *leave)
{
    uint64_t first;
    if (plain->result != PLAIN_NOTHING || (size_t)(run->end - run->at) < sizeof *leave)
        return false;
    memcpy(leave, run->at, sizeof *leave);
    memcpy(&first, leave, sizeof first);
    return first == plain->leave && leave->order == (uint32_t)run->order;
}

/* Encodes the ENTER record r, and its LEAVE if that comes next: then the call is not put on the thread's
 * stack. */
static inline bool encode_enter(struct plain_run *run, const struct record *r,
                                const struct plain_function *plain, uint64_t elements)
{
    struct record_encoder *e = run->e;
    struct record leave;
    const uint8_t *body = run->at + sizeof *r;
    int64_t selector = plain->selector != NO_SELECTOR ? word_at(body, plain->selector).i : 0;
    uint8_t *p = put_enter(e, run->t, e->out.data + e->out.len, plain, r->function, selector, body, elements);
    if (p == NULL)
        return false;
    uint64_t call = e->next_call++;
    add_event(e, p, call, record_extend(run->full_time, r->time), false);
    run->at += r->size;
    run->order++;
    if (run->t->depth == RECORD_THREAD_DEPTH || e->stream_size >= e->plain_limit ||
        !is_left_next(run, plain, &leave)) {
        record_thread_enter(run->t, call, r->function, selector);
        return true;
    }
    *p++ = TRACE_RAW_EVENT_LEAVE;
    p += varint_put(p, call);
    *p++ = TRACE_DETAIL_END;
    add_event(e, p, call, record_extend(run->full_time, leave.time), true);
    run->at += sizeof leave;
    run->order++;
    return true;
}

static bool encode_leave(struct plain_run *run, const struct record *r, const struct plain_function *plain)
{
    struct record_encoder *e = run->e;
    uint8_t *p = put_leave(e, run->t, e->out.data + e->out.len, plain, r->function, run->at + sizeof *r);
    if (p == NULL)
        return false;
    add_event(e, p, run->t->open[run->t->depth].call, record_extend(run->full_time, r->time), true);
    run->at += r->size;
    run->order++;
    return true;
}

static inline bool encode_plain(struct plain_run *run, const struct record *r)
{
    const struct plain_function *plain = &run->e->plain.functions[r->function];
    uint64_t first, elements;
    memcpy(&first, r, sizeof first);
    if (first == plain->enter)
        return encode_enter(run, r, plain, 0);
    if (first == plain->leave)
        return encode_leave(run, r, plain);
    elements = short_array_count(plain, r, first, run->at + sizeof *r);
    return elements > 0 && encode_enter(run, r, plain, elements);
}

/* --- calls that return at once -------------------------------------------------------------------------- */

static inline uint64_t load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* The first bytes of all of a thread's ENTER events. */
struct event_head {
    uint64_t bytes;
    size_t size;
};

static struct event_head head_of(const struct record_thread *t)
{
    uint8_t bytes[1 + VARINT_MAX_BYTES] = {TRACE_RAW_EVENT_ENTER};
    size_t size = 1 + varint_put(bytes + 1, t->number);
    return (struct event_head){load64(bytes), size};
}

/* Writes both events of a call. NULL as put_symbol(). */
static inline uint8_t *put_call(struct record_encoder *e, uint8_t *p, struct event_head head,
                                const struct plain_function *plain, unsigned function, const uint8_t *body,
                                uint64_t call)
{
    memcpy(p, &head.bytes, sizeof head.bytes);
    p += head.size;
    memcpy(p, plain->id, MAX_ID_BYTES);
    p += plain->id_size;
    int64_t selector = plain->selector != NO_SELECTOR ? word_at(body, plain->selector).i : 0;
    p = put_arguments(e, p, plain, spec_param(&spec_functions[function], 0), selector, body, 0);
    if (p == NULL)
        return NULL;
    *p++ = TRACE_DETAIL_END;
    *p++ = TRACE_RAW_EVENT_LEAVE;
    p += varint_put(p, call);
    *p++ = TRACE_DETAIL_END;
    return p;
}

/* Notes what was done with the records before `at`: their calls have numbers below `call`, and their events
 * end at p and, in the list, at `end`. Returns false if there were none. */
static bool take_calls(struct plain_run *run, const uint8_t *at, const uint8_t *p,
                       const struct trace_plain_event *end, uint64_t call)
{
    struct record_encoder *e = run->e;
    size_t bytes = (size_t)(p - e->out.data) - e->out.len;
    if (at == run->at)
        return false;
    run->at = at;
    run->order += 2 * (call - e->next_call);
    e->next_call = call;
    e->out.len += bytes;
    e->stream_size += bytes;
    e->plain.event_count = (size_t)(end - e->plain.events);
    if (e->plain.event_count + 2 > PLAIN_EVENTS)
        plain_records_tell(e);
    return true;
}

/* Encodes calls that consist of an ENTER and a LEAVE that follow each other. Keeps what it counts in
 * variables of its own, since the compiler must expect that bytes of events change what lies in memory.
 * Returns false if the next record is not of such a call. */
static bool encode_calls(struct plain_run *run)
{
    struct record_encoder *e = run->e;
    struct plain_encoder *plains = &e->plain;
    const uint8_t *at = run->at;
    const uint64_t room = e->out.cap - e->out.len, allowed = e->plain_limit - e->stream_size;
    const uint64_t usable = room < allowed ? room : allowed;
    if (run->t->stacks != NULL || run->t->depth == RECORD_THREAD_DEPTH || usable < CALL_BYTES)
        return false;
    const struct event_head head = head_of(run->t);
    uint8_t *const start = e->out.data + e->out.len, *const limit = start + (usable - CALL_BYTES), *p = start;
    struct trace_plain_event *event = &plains->events[plains->event_count];
    uint64_t order = run->order, call = e->next_call, left;
    while ((left = (uint64_t)(run->end - at)) >= 2 * sizeof(struct record) && p <= limit &&
           event < &plains->events[PLAIN_EVENTS - 1]) {
        /* As struct record has them: size, function, kind and flags; order and time. */
        uint64_t enter = load64(at), enter_place = load64(at + sizeof enter);
        uint32_t size = (uint32_t)enter;
        unsigned function = (uint16_t)(enter >> 32);
        if (function >= spec_function_count || left < (uint64_t)size + sizeof(struct record))
            break;
        const struct plain_function *plain = &plains->functions[function];
        uint64_t leave = load64(at + size), leave_place = load64(at + size + sizeof leave);
        if (enter != plain->enter || leave != plain->leave || !plain->is_void ||
            (uint32_t)enter_place != (uint32_t)order || (uint32_t)leave_place != (uint32_t)(order + 1))
            break;
        uint8_t *next = put_call(e, p, head, plain, function, at + sizeof(struct record), call);
        if (next == NULL)
            break;
        const uint32_t entered = (uint32_t)(enter_place >> 32), returned = (uint32_t)(leave_place >> 32);
        *event++ = (struct trace_plain_event){call, (int64_t)record_extend(run->full_time, entered), false};
        *event++ = (struct trace_plain_event){call, (int64_t)record_extend(run->full_time, returned), true};
        p = next;
        at += size + sizeof(struct record);
        order += 2;
        ++call;
    }
    return take_calls(run, at, p, event, call);
}

size_t plain_records_encode(struct record_encoder *e, struct record_thread *t, const uint8_t *records,
                            size_t size, uint64_t order, uint64_t full_time, uint64_t *count)
{
    struct plain_run run = {e, t, records, records + size, order, full_time};
    const size_t room = EVENT_BYTES + (t->stacks != NULL ? BACKTRACE_BYTES : 0);
    size_t left;
    while ((left = (size_t)(run.end - run.at)) >= sizeof(struct record) && e->stream_size < e->plain_limit &&
           e->takes_all) {
        struct record r;
        if (encode_calls(&run))
            continue;
        memcpy(&r, run.at, sizeof r);
        if (r.size < sizeof r || r.size > left || r.function >= spec_function_count ||
            r.order != (uint32_t)run.order || buf_reserve(&e->out, room) != 0) {
            if (!take_stack(t, &r, left))
                break;
            run.at += r.size;
        } else if (!encode_plain(&run, &r)) {
            break;
        }
    }
    *count = run.order - order;
    return (size_t)(run.at - records);
}
