/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_args.h"

bool xray_arg_is_number(const struct trace_value *value)
{
    switch (value->type) {
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
    case TRACE_SINT:
    case TRACE_UINT:
    case TRACE_ENUM:
    case TRACE_BITMASK:
    case TRACE_OPAQUE:
        return true;
    default:
        return false;
    }
}

uint32_t xray_args_known_from(const struct trace_call *call, uint32_t first)
{
    uint32_t known = 0;
    for (uint32_t i = first; i < call->arg_count; ++i)
        known += call->args[i].type != TRACE_NONE;
    return known;
}
