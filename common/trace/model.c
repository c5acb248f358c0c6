/* SPDX-License-Identifier: MIT */
#include "trace/model.h"

#include <math.h>

/* In C, the conversion of out-of-range floating-point values is undefined, so they are clamped. */
static int64_t double_to_sint(double d)
{
    if (isnan(d))
        return 0;
    if (d >= 9223372036854775808.0)
        return INT64_MAX;
    if (d <= -9223372036854775808.0)
        return INT64_MIN;
    return (int64_t)d;
}

static uint64_t double_to_uint(double d)
{
    if (d < 0.0)
        return (uint64_t)double_to_sint(d);
    if (d >= 18446744073709551616.0)
        return UINT64_MAX;
    return isnan(d) ? 0 : (uint64_t)d;
}

int64_t trace_value_to_sint(const struct trace_value *v, int64_t fallback)
{
    switch (v->type) {
    case TRACE_FLOAT:
        return double_to_sint((double)v->u.f32);
    case TRACE_DOUBLE:
        return double_to_sint(v->u.f64);
    default:
        return (int64_t)trace_value_to_uint(v, (uint64_t)fallback);
    }
}

uint64_t trace_value_to_uint(const struct trace_value *v, uint64_t fallback)
{
    switch (v->type) {
    case TRACE_NULL:
    case TRACE_FALSE:
        return 0;
    case TRACE_TRUE:
        return 1;
    case TRACE_SINT:
    case TRACE_ENUM:
        return (uint64_t)v->u.sint;
    case TRACE_UINT:
    case TRACE_BITMASK:
    case TRACE_OPAQUE:
    case TRACE_BASED:
    case TRACE_RANGED:
        return v->u.uint;
    case TRACE_CHOICE:
        return trace_value_to_uint(&v->u.items[0], fallback);
    case TRACE_FLOAT:
        return double_to_uint((double)v->u.f32);
    case TRACE_DOUBLE:
        return double_to_uint(v->u.f64);
    case TRACE_REPR:
        return trace_value_to_uint(&v->u.items[1], fallback);
    default:
        return fallback;
    }
}

double trace_value_to_double(const struct trace_value *v, double fallback)
{
    switch (v->type) {
    case TRACE_FLOAT:
        return (double)v->u.f32;
    case TRACE_DOUBLE:
        return v->u.f64;
    case TRACE_SINT:
    case TRACE_ENUM:
        return (double)v->u.sint;
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
    case TRACE_UINT:
    case TRACE_BITMASK:
    case TRACE_OPAQUE:
        return (double)trace_value_to_uint(v, 0);
    case TRACE_BASED:
    case TRACE_RANGED:
        return v->negative ? (double)v->u.sint : (double)v->u.uint;
    case TRACE_CHOICE:
        return trace_value_to_double(&v->u.items[0], fallback);
    case TRACE_REPR:
        return trace_value_to_double(&v->u.items[1], fallback);
    default:
        return fallback;
    }
}

const char *trace_enum_find_name(const struct trace_enum_sig *sig, int64_t value)
{
    for (uint32_t i = 0; i < sig->count; ++i)
        if (sig->names[i].value == value)
            return sig->names[i].name;
    return NULL;
}

void trace_array_get(const struct trace_value *v, uint64_t index, struct trace_value *out)
{
    *out = (struct trace_value){.type = v->element, .element = TRACE_NONE};
    switch (v->element) {
    case TRACE_FLOAT:
        out->u.f32 = v->u.floats[index];
        break;
    case TRACE_DOUBLE:
        out->u.f64 = v->u.doubles[index];
        break;
    case TRACE_UINT:
        out->u.uint = v->u.uints[index];
        break;
    case TRACE_SINT:
        out->u.sint = v->u.sints[index];
        out->type = out->u.sint < 0 ? TRACE_SINT : TRACE_UINT;
        break;
    default:
        *out = v->u.items[index];
    }
}

bool trace_range_has(const struct trace_range_sig *sig, const struct trace_range_label *label, uint64_t value)
{
    if (sig->is_signed)
        return (int64_t)label->from <= (int64_t)value && (int64_t)value <= (int64_t)label->to;
    return label->from <= value && value <= label->to;
}

void trace_value_plain(const struct trace_value *v, struct trace_value *out)
{
    while (v->type == TRACE_CHOICE)
        v = &v->u.items[0];
    *out = *v;
    if (v->type == TRACE_BASED || v->type == TRACE_RANGED)
        *out = (struct trace_value){.type = v->negative ? TRACE_SINT : TRACE_UINT, .u.uint = v->u.uint};
}
