/* SPDX-License-Identifier: MIT */
#include "mutate_call.h"

#include "runtime/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIGNATURE = 1 << 20 };

uint64_t mutator_random(struct mutator *m, uint64_t limit)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return m->random % limit;
}

static bool one_in(struct mutator *m, uint64_t n)
{
    return m->random != 0 && mutator_random(m, n) == 0;
}

/* Memory of exactly this size, so that a sanitizer finds accesses beyond it. */
static void *allocate(struct mutator *m, size_t size)
{
    if (m->memory_count == m->memory_cap) {
        m->memory_cap = 2 * m->memory_cap + 16;
        m->memory = realloc(m->memory, m->memory_cap * sizeof *m->memory);
    }
    void *p = malloc(size + (size == 0));
    if (p == NULL || m->memory == NULL)
        abort();
    m->memory[m->memory_count++] = p;
    return p;
}

static void *copy(struct mutator *m, const void *bytes, size_t size)
{
    void *p = allocate(m, size);
    if (size > 0)
        memcpy(p, bytes, size);
    return p;
}

static void release(struct mutator *m)
{
    while (m->memory_count > 0)
        free(m->memory[--m->memory_count]);
}

void mutator_init(struct mutator *m, uint64_t seed)
{
    *m = (struct mutator){.random = seed != 0 ? seed * UINT64_C(0x9e3779b97f4a7c15) | 1 : 0};
    for (int i = 0; seed != 0 && i < 8; ++i)
        mutator_random(m, 2);
}

void mutator_fini(struct mutator *m)
{
    release(m);
    free(m->memory);
    free(m->signatures);
}

/* --- numbers ---------------------------------------------------------------------------------------- */

static void remember(struct mutator *m, uint64_t value)
{
    m->pool[m->pool_count++ % MUTATOR_POOL] = value;
}

static uint64_t number(struct mutator *m, uint64_t old)
{
    static const uint64_t special[] = {
        0,      1,      2,      3,          4,          7,          8,          16,        255,    256,
        4095,   65535,  65536,  0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX, INT64_MAX, 0x1401, 0x1403,
        0x1405, 0x1406, 0x1908, 0x8892,     0x8893,     0x88eb,     0x88ec,     0x140a,    0x8866, 0x8b30};
    switch (mutator_random(m, 8)) {
    case 0:
        return old + 1;
    case 1:
        return old - 1;
    case 2:
        return old * 2;
    case 3:
        return (uint64_t)0 - old;
    case 4:
        return mutator_random(m, 64);
    case 5:
        return m->pool[mutator_random(m, MUTATOR_POOL)];
    default:
        return special[mutator_random(m, sizeof special / sizeof *special)];
    }
}

static double float_number(struct mutator *m)
{
    static const double special[] = {0, -1, 1e30, -1e30, 2147483648.0, -2147483649.0, 64, 1e-30};
    uint64_t which = mutator_random(m, sizeof special / sizeof *special + 2);
    return which < sizeof special / sizeof *special ? special[which]
           : which % 2 != 0                         ? (double)NAN
                                                    : (double)INFINITY;
}

/* --- values ----------------------------------------------------------------------------------------- */

static struct trace_value integer_value(uint64_t n)
{
    return (int64_t)n < 0 && n > UINT32_MAX ? (struct trace_value){.type = TRACE_SINT, .u.uint = n}
                                            : (struct trace_value){.type = TRACE_UINT, .u.uint = n};
}

static struct trace_value blob_value(struct mutator *m, size_t size)
{
    uint8_t *bytes = allocate(m, size);
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (uint8_t)(i < 8 ? mutator_random(m, 256) : 0x11 * i);
    return (struct trace_value){.type = TRACE_BLOB, .count = size, .u.blob = bytes};
}

static struct trace_value string_value(struct mutator *m)
{
    size_t size = mutator_random(m, 80);
    char *text = allocate(m, size + 1);
    memset(text, 'a', size);
    text[size] = '\0';
    return (struct trace_value){.type = TRACE_STRING, .count = size, .u.string = text};
}

static struct trace_value any_value(struct mutator *m, unsigned depth);

static struct trace_value array_value(struct mutator *m, unsigned depth)
{
    size_t count = mutator_random(m, 12);
    struct trace_value v = {.type = TRACE_ARRAY, .count = count};
    if (depth < MUTATOR_DEPTH && one_in(m, 2)) {
        struct trace_value *items = allocate(m, count * sizeof *items);
        v.element = TRACE_NONE;
        for (size_t i = 0; i < count; ++i)
            items[i] = any_value(m, depth + 4);
        v.u.items = items;
        return v;
    }
    if (one_in(m, 2)) {
        float *floats = allocate(m, count * sizeof *floats);
        for (size_t i = 0; i < count; ++i)
            floats[i] = (float)float_number(m);
        v.element = TRACE_FLOAT;
        v.u.floats = floats;
        return v;
    }
    uint64_t *numbers = allocate(m, count * sizeof *numbers);
    for (size_t i = 0; i < count; ++i)
        numbers[i] = number(m, i) & 0xffffffff;
    v.element = TRACE_UINT;
    v.u.uints = numbers;
    return v;
}

static struct trace_value any_value(struct mutator *m, unsigned depth)
{
    static const size_t sizes[] = {0, 1, 3, 4, 12, 16, 63, 64, 65, 256, 6400};
    switch (mutator_random(m, 12)) {
    case 0:
        return (struct trace_value){.type = TRACE_NULL};
    case 1:
        return (struct trace_value){.type = TRACE_NONE};
    case 2:
        return (struct trace_value){.type = TRACE_OPAQUE, .u.uint = number(m, 4096)};
    case 3:
        return (struct trace_value){.type = TRACE_FLOAT, .u.f32 = (float)float_number(m)};
    case 4:
        return (struct trace_value){.type = TRACE_DOUBLE, .u.f64 = float_number(m)};
    case 5:
        return string_value(m);
    case 6:
    case 7:
        return blob_value(m, sizes[mutator_random(m, sizeof sizes / sizeof *sizes)]);
    case 8:
    case 9:
        return array_value(m, depth);
    default:
        return integer_value(number(m, 1));
    }
}

static void change(struct mutator *m, struct trace_value *v, unsigned depth)
{
    if (one_in(m, 4)) {
        *v = any_value(m, depth);
        return;
    }
    switch (v->type) {
    case TRACE_SINT:
    case TRACE_UINT:
    case TRACE_ENUM:
    case TRACE_BITMASK:
    case TRACE_OPAQUE:
        v->u.uint = number(m, v->u.uint);
        break;
    case TRACE_FLOAT:
        v->u.f32 = (float)float_number(m);
        break;
    case TRACE_DOUBLE:
        v->u.f64 = float_number(m);
        break;
    case TRACE_BLOB:
    case TRACE_ARRAY:
        if (v->count > 0)
            v->count = one_in(m, 2) ? v->count - 1 : mutator_random(m, v->count);
        break;
    default:
        *v = any_value(m, depth);
        break;
    }
}

static size_t element_size(const struct trace_value *v)
{
    return v->element == TRACE_FLOAT  ? sizeof(float)
           : v->element == TRACE_NONE ? sizeof(struct trace_value)
                                      : sizeof(uint64_t);
}

/* Copies what v refers to, and changes some of it. */
static void copy_value(struct mutator *m, struct trace_value *v, unsigned depth, bool changed)
{
    if (changed && one_in(m, 3))
        change(m, v, depth);
    if (v->type == TRACE_SINT || v->type == TRACE_UINT || v->type == TRACE_OPAQUE || v->type == TRACE_ENUM)
        remember(m, v->u.uint);
    if (v->type == TRACE_STRING)
        v->u.string = copy(m, v->u.string, v->count + 1);
    else if (v->type == TRACE_BLOB)
        v->u.blob = copy(m, v->u.blob, v->count);
    else if (v->type == TRACE_WSTRING)
        v->u.wstring = copy(m, v->u.wstring, v->count * sizeof *v->u.wstring);
    else if (v->type == TRACE_ARRAY && v->element != TRACE_NONE)
        v->u.items = copy(m, v->u.items, v->count * element_size(v));
    else if (v->type == TRACE_ARRAY || v->type == TRACE_STRUCT || v->type == TRACE_REPR) {
        size_t count = v->type == TRACE_REPR ? 2 : v->count;
        struct trace_value *items = copy(m, v->u.items, count * sizeof *items);
        for (size_t i = 0; i < count && depth < 32; ++i)
            copy_value(m, &items[i], depth + 1, changed);
        v->u.items = items;
    }
}

/* --- calls ------------------------------------------------------------------------------------------ */

void mutator_copy(struct mutator *m, const struct trace_call *call, struct trace_call *out)
{
    bool changed = one_in(m, 6);
    *out = *call;
    release(m);
    struct trace_value *args = copy(m, call->args, call->arg_count * sizeof *args);
    for (uint32_t i = 0; i < call->arg_count; ++i)
        copy_value(m, &args[i], 0, changed);
    copy_value(m, &out->ret, 0, changed && one_in(m, 4));
    if (changed && one_in(m, 8) && call->arg_count > 1) {
        struct trace_value spare = args[0];
        args[0] = args[call->arg_count - 1];
        args[call->arg_count - 1] = spare;
    }
    if (changed && one_in(m, 8)) /* a call that did not return */
        out->ret = (struct trace_value){.type = TRACE_NONE};
    if (changed && one_in(m, 16))
        out->flags ^= 1u << mutator_random(m, 8);
    if (changed && one_in(m, 16))
        out->thread = (uint32_t)mutator_random(m, 3);
    out->args = args;
}

/* One for each argument of any function. */
#define NAMES_8 "a", "b", "c", "d", "e", "f", "g", "h"
static const char *const argument_names[] = {NAMES_8, NAMES_8, NAMES_8, NAMES_8};

static void make_signatures(struct mutator *m)
{
    m->signatures = calloc(spec_function_count, sizeof *m->signatures);
    if (m->signatures == NULL)
        abort();
    for (unsigned i = 0; i < spec_function_count; ++i) {
        const char *name = spec_string(spec_functions[i].name);
        bool draws = strncmp(name, "glDraw", 6) == 0 || strncmp(name, "glMultiDraw", 11) == 0;
        m->signatures[i] = (struct trace_function_sig){.id = FIRST_SIGNATURE + i,
                                                       .name = name,
                                                       .arg_count = spec_functions[i].param_count,
                                                       .arg_names = argument_names,
                                                       .flags = draws ? TRACE_CALL_RENDER : 0};
    }
}

/* Returns a value that is plausible for the parameter. */
static struct trace_value fitting_value(struct mutator *m, const struct spec_param *p)
{
    if (one_in(m, 8))
        return any_value(m, 0);
    switch (p->form) {
    case SPEC_FORM_VALUE:
        return p->type == SPEC_F32 || p->type == SPEC_F64
                   ? (struct trace_value){.type = TRACE_FLOAT, .u.f32 = (float)float_number(m)}
                   : integer_value(number(m, 2));
    case SPEC_FORM_ARRAY:
        return array_value(m, MUTATOR_DEPTH);
    case SPEC_FORM_STRING:
        return string_value(m);
    case SPEC_FORM_STRINGS:
    case SPEC_FORM_BLOBS: {
        struct trace_value *items = allocate(m, 3 * sizeof *items);
        for (unsigned i = 0; i < 3; ++i)
            items[i] = p->form == SPEC_FORM_STRINGS ? string_value(m) : blob_value(m, 16);
        return (struct trace_value){
            .type = TRACE_ARRAY, .element = TRACE_NONE, .count = mutator_random(m, 4), .u.items = items};
    }
    default:
        return one_in(m, 3) ? any_value(m, 0) : blob_value(m, mutator_random(m, 300));
    }
}

void mutator_invent(struct mutator *m, const struct trace_call *call, struct trace_call *out)
{
    if (m->signatures == NULL)
        make_signatures(m);
    release(m);
    const struct spec_function *f;
    do
        f = &spec_functions[mutator_random(m, spec_function_count)];
    while (f->api != SPEC_API_GL && f->replay == 0);
    while (one_in(m, 2) && f->replay == 0) /* prefers functions with a handler */
        f = &spec_functions[mutator_random(m, spec_function_count)];
    struct trace_value *args = allocate(m, f->param_count * sizeof *args);
    for (unsigned i = 0; i < f->param_count; ++i)
        args[i] = fitting_value(m, spec_param(f, i));
    *out = *call;
    out->sig = &m->signatures[f->id];
    out->flags = out->sig->flags;
    out->arg_count = f->param_count;
    out->args = args;
    out->ret = integer_value(number(m, 1));
}
