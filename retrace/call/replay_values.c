/* SPDX-License-Identifier: MIT */
#include "call/replay_values.h"

static const struct trace_value no_value = {.type = TRACE_NONE};

const struct trace_value *replay_arg(const struct replay_call *c, unsigned index)
{
    if (index >= c->call->arg_count)
        return &no_value;
    const struct trace_value *v = &c->call->args[index];
    return v->type == TRACE_REPR ? &v->u.items[1] : v;
}

uint64_t replay_arg_uint(const struct replay_call *c, unsigned index, uint64_t fallback)
{
    return trace_value_to_uint(replay_arg(c, index), fallback);
}

/* Numbers of the window systems and OpenGL have 32 bits; sums of a few never overflow then. */
static int64_t cut(int64_t value)
{
    return value < INT32_MIN ? INT32_MIN : value > INT32_MAX ? INT32_MAX : value;
}

int64_t replay_arg_sint(const struct replay_call *c, unsigned index, int64_t fallback)
{
    return cut(trace_value_to_sint(replay_arg(c, index), fallback));
}

int64_t replay_output(const struct replay_call *c, unsigned index, int64_t fallback)
{
    const struct trace_value *array = replay_arg(c, index);
    struct trace_value value;
    if (array->type != TRACE_ARRAY || array->count == 0)
        return fallback;
    trace_array_get(array, 0, &value);
    return cut(trace_value_to_sint(&value, fallback));
}

int64_t replay_attrib(const struct trace_value *list, int64_t key, int64_t fallback)
{
    if (list->type != TRACE_ARRAY)
        return fallback;
    for (uint64_t i = 0; i + 1 < list->count; i += 2) {
        struct trace_value k, v;
        trace_array_get(list, i, &k);
        trace_array_get(list, i + 1, &v);
        if (trace_value_to_sint(&k, -1) == key)
            return cut(trace_value_to_sint(&v, fallback));
    }
    return fallback;
}

int replay_attrib_version(const struct trace_value *list, int64_t key, int64_t fallback)
{
    const int highest = 99;
    int64_t value = replay_attrib(list, key, fallback);
    return value < 0 ? 0 : value > highest ? highest : (int)value;
}

bool replay_number(enum spec_type type, const struct trace_value *v, union spec_arg *out)
{
    switch (v->type) {
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
    case TRACE_SINT:
    case TRACE_UINT:
    case TRACE_FLOAT:
    case TRACE_DOUBLE:
    case TRACE_ENUM:
    case TRACE_BITMASK:
    case TRACE_OPAQUE:
        break;
    default:
        return false;
    }
    out->u = 0;
    if (type == SPEC_F32)
        out->f32 = (float)trace_value_to_double(v, 0);
    else if (type == SPEC_F64)
        out->f64 = trace_value_to_double(v, 0);
    else if (v->type == TRACE_SINT || v->type == TRACE_FLOAT || v->type == TRACE_DOUBLE)
        out->u = replay_fit_integer(type, (uint64_t)trace_value_to_sint(v, 0));
    else
        out->u = replay_fit_integer(type, trace_value_to_uint(v, 0));
    return true;
}
