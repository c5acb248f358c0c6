/* SPDX-License-Identifier: MIT */
#include "collector/flight/flight_values.h"

#include "base/varint.h"
#include "formats/apitrace/format.h"
#include "trace/model.h"
#include "runtime/spec.h"

#define DEEPEST 8 /* of values in values */

static const uint8_t *limit_of(const struct flight_values *v, const uint8_t *at)
{
    return at < v->end[0] ? v->end[0] : v->end[1];
}

static const uint8_t *read_uint(const uint8_t *p, const uint8_t *end, uint64_t *out)
{
    int n = p != NULL ? varint_get(p, end, out) : 0;
    return n > 0 ? p + n : NULL;
}

static const uint8_t *pass_bytes(const uint8_t *p, const uint8_t *end, uint64_t count)
{
    return p != NULL && count <= (uint64_t)(end - p) ? p + count : NULL;
}

static const uint8_t *pass_value(const uint8_t *p, const uint8_t *end, unsigned depth);

static const uint8_t *pass_values(const uint8_t *p, const uint8_t *end, uint64_t count, unsigned depth)
{
    while (p != NULL && count-- > 0)
        p = pass_value(p, end, depth + 1);
    return p;
}

static const uint8_t *pass_struct(const uint8_t *p, const uint8_t *end, unsigned depth)
{
    uint64_t id;
    p = read_uint(p, end, &id);
    if (p == NULL || id >= spec_struct_count)
        return NULL;
    return pass_values(p, end, spec_structs[id].count, depth);
}

static const uint8_t *pass_value(const uint8_t *p, const uint8_t *end, unsigned depth)
{
    uint64_t n;
    if (p == NULL || p == end || depth > DEEPEST)
        return NULL;
    switch (*p++) {
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
        return p;
    case TRACE_SINT:
    case TRACE_UINT:
    case TRACE_OPAQUE:
        return read_uint(p, end, &n);
    case TRACE_FLOAT:
        return pass_bytes(p, end, sizeof(float));
    case TRACE_DOUBLE:
        return pass_bytes(p, end, sizeof(double));
    case TRACE_STRING:
    case TRACE_BLOB:
        p = read_uint(p, end, &n);
        return pass_bytes(p, end, n);
    case TRACE_ENUM:
        p = read_uint(p, end, &n);
        return pass_value(p, end, depth + 1);
    case TRACE_BITMASK:
        p = read_uint(p, end, &n);
        return read_uint(p, end, &n);
    case TRACE_ARRAY:
        p = read_uint(p, end, &n);
        return pass_values(p, end, n, depth);
    case TRACE_STRUCT:
        return pass_struct(p, end, depth);
    case TRACE_REPR:
        return pass_values(p, end, 2, depth);
    default:
        return NULL;
    }
}

static const uint8_t *pass_backtrace(const uint8_t *p, const uint8_t *end)
{
    uint64_t count, id;
    p = read_uint(p, end, &count);
    while (p != NULL && count-- > 0)
        p = read_uint(p, end, &id);
    return p;
}

/* Notes where the values are. Returns false if the details do not end where the event does. */
static bool find_values(struct flight_values *out, const uint8_t *p, const uint8_t *end)
{
    while (p != NULL && p < end && *p != TRACE_DETAIL_END) {
        uint64_t index;
        switch (*p++) {
        case TRACE_DETAIL_ARG:
            p = read_uint(p, end, &index);
            if (p != NULL && index < FLIGHT_MAX_ARGS)
                out->args[index] = p;
            p = pass_value(p, end, 0);
            break;
        case TRACE_DETAIL_RET:
            out->ret = p;
            p = pass_value(p, end, 0);
            break;
        case TRACE_DETAIL_BACKTRACE:
            p = pass_backtrace(p, end);
            break;
        case TRACE_DETAIL_FLAGS:
            p = read_uint(p, end, &index);
            break;
        default:
            return false;
        }
    }
    return p != NULL && p + 1 == end;
}

bool flight_values_find(struct flight_values *out, const struct flight_call *call)
{
    const uint8_t *enter = (const uint8_t *)(call + 1), *leave = enter + call->enter_size;
    uint64_t number;
    *out = (struct flight_values){.end = {leave, leave + call->leave_size}};
    const uint8_t *p = read_uint(enter + 1, out->end[0], &number); /* the thread */
    p = read_uint(p, out->end[0], &number);                        /* the function */
    return find_values(out, p, out->end[0]) &&
           find_values(out, read_uint(leave + 1, out->end[1], &number), out->end[1]);
}

const uint8_t *flight_value_end(const struct flight_values *v, const uint8_t *at)
{
    return pass_value(at, limit_of(v, at), 0);
}

uint64_t flight_value_uint(const struct flight_values *v, const uint8_t *at)
{
    uint64_t n = 0;
    if (at == NULL)
        return 0;
    const uint8_t *end = limit_of(v, at);
    switch (*at) {
    case TRACE_TRUE:
        return 1;
    case TRACE_SINT:
        read_uint(at + 1, end, &n);
        return 0 - n;
    case TRACE_UINT:
    case TRACE_OPAQUE:
        read_uint(at + 1, end, &n);
        return n;
    case TRACE_ENUM:
        at = read_uint(at + 1, end, &n);
        return at != NULL && at < end && *at != TRACE_ENUM ? flight_value_uint(v, at) : 0;
    case TRACE_BITMASK:
        read_uint(read_uint(at + 1, end, &n), end, &n);
        return n;
    default:
        return 0;
    }
}

const uint8_t *flight_value_array(const struct flight_values *v, const uint8_t *at, uint64_t *count)
{
    return at != NULL && *at == TRACE_ARRAY ? read_uint(at + 1, limit_of(v, at), count) : NULL;
}
