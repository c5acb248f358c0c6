/* SPDX-License-Identifier: MIT */
#include "diff_digest.h"

#include <string.h>
#include <xxhash.h>

/* What a value is, in place of its type. */
enum kind {
    KIND_NONE = 1,
    KIND_INTEGER,
    KIND_FLOAT,
    KIND_DOUBLE,
    KIND_STRING,
    KIND_WSTRING,
    KIND_BLOB,
    KIND_ARRAY,
    KIND_STRUCT,
    KIND_POINTER,
    KIND_ROLE,
    KIND_IGNORED,
    KIND_RETURN,
};

static inline uint64_t mix(uint64_t h, uint64_t value)
{
    h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return (h << 27 | h >> 37) ^ h >> 32;
}

/* A multiplication moves bits up only: let all of them reach all, as hash tables need it. */
static uint64_t finish(uint64_t h)
{
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

static uint64_t mix_bytes(uint64_t h, enum kind kind, const void *bytes, uint64_t count)
{
    return mix(mix(mix(h, kind), count), XXH3_64bits(bytes, (size_t)count));
}

static uint64_t mix_value(uint64_t h, const struct diff_rules *r, const struct trace_value *v);

static uint64_t mix_packed(uint64_t h, const struct trace_value *v)
{
    h = mix(h, v->element == TRACE_SINT ? TRACE_UINT : v->element);
    return mix_bytes(h, KIND_ARRAY, v->u.uints,
                     v->count * (v->element == TRACE_FLOAT ? sizeof(float) : sizeof(uint64_t)));
}

static uint64_t mix_items(uint64_t h, enum kind kind, const struct diff_rules *r, const struct trace_value *v)
{
    h = mix(mix(h, kind), v->count);
    for (uint64_t i = 0; i < v->count; ++i)
        h = mix_value(h, r, &v->u.items[i]);
    return h;
}

static uint64_t mix_value(uint64_t h, const struct diff_rules *r, const struct trace_value *v)
{
    uint64_t bits = 0;
    switch (v->type) {
    case TRACE_NONE:
        return mix(h, KIND_NONE);
    case TRACE_FALSE:
    case TRACE_TRUE:
        return mix(mix(h, KIND_INTEGER), v->type == TRACE_TRUE);
    case TRACE_FLOAT:
        memcpy(&bits, &v->u.f32, sizeof v->u.f32);
        return mix(mix(h, KIND_FLOAT), bits);
    case TRACE_DOUBLE:
        return mix(mix(h, KIND_DOUBLE), v->u.uint);
    case TRACE_STRING:
        return mix_bytes(h, KIND_STRING, v->u.string, v->count);
    case TRACE_WSTRING:
        return mix_bytes(h, KIND_WSTRING, v->u.wstring, v->count * sizeof *v->u.wstring);
    case TRACE_BLOB:
        return r->blobs ? mix(mix(h, KIND_BLOB), v->count) : mix_bytes(h, KIND_BLOB, v->u.blob, v->count);
    case TRACE_ARRAY:
        return v->element != TRACE_NONE ? mix_packed(h, v) : mix_items(h, KIND_ARRAY, r, v);
    case TRACE_STRUCT:
        return mix_items(h, KIND_STRUCT, r, v);
    case TRACE_NULL:
        return mix(mix(h, KIND_POINTER), 0);
    case TRACE_OPAQUE:
        return r->pointers && v->u.uint != 0 ? mix(h, KIND_ROLE) : mix(mix(h, KIND_POINTER), v->u.uint);
    case TRACE_REPR:
        return mix_value(h, r, &v->u.items[0]);
    default: /* integers of any kind */
        return mix(mix(h, KIND_INTEGER), v->u.uint);
    }
}

/* Objects' names: how many, and which are none. */
static uint64_t mix_role(uint64_t h, const struct diff_arg_rule *rule, const struct trace_value *v)
{
    if (v->type == TRACE_NONE)
        return mix(h, KIND_NONE);
    if (v->type != TRACE_ARRAY)
        return mix(mix(h, KIND_ROLE), diff_is_none(rule, trace_value_to_uint(v, 0)));
    h = mix(mix(h, KIND_ARRAY), v->count);
    for (uint64_t i = 0; i < v->count; ++i) {
        struct trace_value element;
        trace_array_get(v, i, &element);
        h = mix(mix(h, KIND_ROLE), diff_is_none(rule, trace_value_to_uint(&element, 0)));
    }
    return h;
}

static uint64_t mix_by_rule(uint64_t h, const struct diff_rules *r, const struct diff_arg_rule *rule,
                            const struct trace_value *v)
{
    switch (rule->treatment) {
    case DIFF_IGNORED:
        return mix(h, KIND_IGNORED);
    case DIFF_BY_ROLE:
        return mix_role(h, rule, v);
    default:
        return mix_value(h, r, v);
    }
}

uint64_t diff_digest_call(const struct diff_rules *r, const struct diff_function *f,
                          const struct trace_call *call)
{
    uint64_t h = mix(f->name_digest, call->flags & (TRACE_CALL_FAKE | TRACE_CALL_INCOMPLETE));
    for (uint32_t i = 0; i < call->arg_count; ++i)
        h = mix_by_rule(h, r, diff_arg_rule(f, i), &call->args[i]);
    h = mix_by_rule(mix(h, KIND_RETURN), r, diff_return_rule(f), &call->ret);
    return finish(h);
}
