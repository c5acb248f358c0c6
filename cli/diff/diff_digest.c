/* SPDX-License-Identifier: MIT */
#include "diff/diff_digest.h"

#include "diff/diff_matcher.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

/* What is hashed instead of a value's type, so that some types are equal. */
enum kind {
    KIND_NONE = 1,
    KIND_INTEGER,
    KIND_NEGATIVE,
    KIND_FLOAT,
    KIND_DOUBLE,
    KIND_STRING,
    KIND_WSTRING,
    KIND_BLOB,
    KIND_ARRAY,
    KIND_FLAGS,
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

/* A multiplication moves bits only upwards. This lets every bit affect all others, as hash tables need it. */
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

/* --- like apitrace --------------------------------------------------------------------------------- */

static uint64_t mix_integer(uint64_t h, bool negative, uint64_t value)
{
    return mix(mix(h, negative ? KIND_NEGATIVE : KIND_INTEGER), value);
}

/* A double that is an integer equals the integer, and both zeros are equal. */
static uint64_t mix_double(uint64_t h, double value)
{
    uint64_t bits;
    if (fabs(value) < 0x1p63 && value == (double)(int64_t)value)
        return mix_integer(h, value < 0, (uint64_t)(int64_t)value);
    memcpy(&bits, &value, sizeof bits);
    return mix(mix(h, KIND_DOUBLE), bits);
}

static uint64_t mix_name(uint64_t h, const char *name)
{
    return mix_bytes(h, KIND_STRING, name, strlen(name));
}

static uint64_t mix_enum(uint64_t h, const struct trace_value *v)
{
    const char *name = trace_enum_find_name(v->sig.enumeration, v->u.sint);
    return name != NULL ? mix_name(h, name) : mix_integer(h, v->negative, v->u.uint);
}

/* Hashes the names of the flags and the remaining bits, as in cli/dump/pickle_format.c. */
static uint64_t mix_flags(uint64_t h, const struct trace_value *v)
{
    const struct trace_bitmask_sig *sig = v->sig.bitmask;
    uint64_t rest = v->u.uint;
    h = mix(h, KIND_FLAGS);
    for (uint32_t i = 0; i < sig->count; ++i) {
        uint64_t flag = sig->flags[i].value;
        if (flag == 0 ? v->u.uint != 0 : (rest & flag) != flag)
            continue;
        h = mix_name(h, sig->flags[i].name);
        rest &= ~flag;
        if (flag == 0)
            break;
    }
    return mix_integer(h, false, rest);
}

static uint64_t mix_elements(uint64_t h, const struct diff_rules *r, const struct trace_value *v)
{
    struct trace_value element;
    h = mix(mix(h, KIND_ARRAY), v->count);
    for (uint64_t i = 0; i < v->count; ++i) {
        trace_array_get(v, i, &element);
        h = mix_value(h, r, &element);
    }
    return h;
}

static uint64_t mix_members(uint64_t h, const struct diff_rules *r, const struct trace_value *v)
{
    const struct trace_struct_sig *sig = v->sig.structure;
    h = mix(mix(h, KIND_STRUCT), sig->count);
    for (uint32_t i = 0; i < sig->count; ++i)
        h = mix_value(mix_name(h, sig->members[i]), r, &v->u.items[i]);
    return h;
}

/* Hashes values that apitrace's scripts compare differently. *done becomes true if this is one. */
static uint64_t mix_like_apitrace(uint64_t h, const struct diff_rules *r, const struct trace_value *v,
                                  bool *done)
{
    *done = true;
    switch (v->type) {
    case TRACE_SINT:
        return mix_integer(h, true, v->u.uint);
    case TRACE_NULL:
        return mix_integer(h, false, 0);
    case TRACE_FLOAT:
        return mix_double(h, (double)v->u.f32);
    case TRACE_DOUBLE:
        return mix_double(h, v->u.f64);
    case TRACE_ENUM:
        return mix_enum(h, v);
    case TRACE_BITMASK:
        return mix_flags(h, v);
    case TRACE_ARRAY:
        return mix_elements(h, r, v);
    case TRACE_STRUCT:
        return mix_members(h, r, v);
    case TRACE_OPAQUE:
        if (!r->pointers || v->u.uint == 0)
            return mix_integer(h, false, v->u.uint);
        break;
    default:
        break;
    }
    *done = false;
    return h;
}

/* --- values ---------------------------------------------------------------------------------------- */

static uint64_t mix_value(uint64_t h, const struct diff_rules *r, const struct trace_value *v)
{
    uint64_t bits = 0;
    bool done = false;
    if (r->like_apitrace)
        h = mix_like_apitrace(h, r, v, &done);
    if (done)
        return h;
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
    case TRACE_CHOICE:
        return mix_value(h, r, &v->u.items[0]);
    default: /* integers of all types */
        return mix(mix(h, KIND_INTEGER), v->u.uint);
    }
}

/* Hashes how many names of objects there are, and which of them stand for no object. */
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

uint64_t diff_digest_value(const struct diff_rules *r, const struct trace_value *v)
{
    return finish(mix_value(0, r, v));
}

/* Returns true for a glGetError that returned no error, as an enum or as a number. */
static bool found_no_error(const struct trace_call *call)
{
    const struct trace_value *v = &call->ret;
    if (v->type == TRACE_STRING || v->type == TRACE_NONE)
        return false;
    const char *name = v->type == TRACE_ENUM ? trace_enum_find_name(v->sig.enumeration, v->u.sint) : NULL;
    return name != NULL ? strcmp(name, "GL_NO_ERROR") == 0 : trace_value_to_uint(v, 1) == 0;
}

static uint64_t digest_like_apitrace(const struct diff_rules *r, const struct diff_function *f,
                                     const struct trace_call *call)
{
    uint64_t h = mix(f->digest, call->arg_count);
    for (uint32_t i = 0; i < call->arg_count; ++i)
        h = mix_by_rule(h, r, diff_arg_rule(f, i), &call->args[i]);
    h = finish(mix_by_rule(mix(h, KIND_RETURN), r, diff_return_rule(f), &call->ret));
    return f->reports_errors && found_no_error(call) ? h | DIFF_JUNK : h & ~DIFF_JUNK;
}

uint64_t diff_digest_call(const struct diff_rules *r, const struct diff_function *f,
                          const struct trace_call *call)
{
    if (r->like_apitrace)
        return digest_like_apitrace(r, f, call);
    uint64_t h = mix(f->digest, call->flags & (TRACE_CALL_FAKE | TRACE_CALL_INCOMPLETE));
    for (uint32_t i = 0; i < call->arg_count; ++i)
        h = mix_by_rule(h, r, diff_arg_rule(f, i), &call->args[i]);
    h = mix_by_rule(mix(h, KIND_RETURN), r, diff_return_rule(f), &call->ret);
    return finish(h);
}
