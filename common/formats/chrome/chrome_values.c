/* SPDX-License-Identifier: MIT */
#include "formats/chrome/chrome_values.h"

#include <inttypes.h>
#include <stdio.h>

#define TEXT_MAX 65536 /* bytes of a string; longer ones are cut */

void chrome_put_value(struct json_writer *w, const struct trace_value *value)
{
    const char *name = value->type == TRACE_ENUM && value->sig.enumeration != NULL
                           ? trace_enum_find_name(value->sig.enumeration, value->u.sint)
                           : NULL;
    struct trace_value plain;
    char address[24];
    switch (value->type) {
    case TRACE_FALSE:
    case TRACE_TRUE:
        json_bool(w, value->type == TRACE_TRUE);
        break;
    case TRACE_SINT:
        json_sint(w, value->u.sint);
        break;
    case TRACE_ENUM:
        if (name != NULL)
            json_repaired_text(w, name, strlen(name));
        else
            json_sint(w, value->u.sint);
        break;
    case TRACE_BASED:
    case TRACE_RANGED:
    case TRACE_CHOICE:
        trace_value_plain(value, &plain);
        chrome_put_value(w, &plain);
        break;
    case TRACE_UINT:
    case TRACE_BITMASK:
        json_uint(w, value->u.uint);
        break;
    case TRACE_FLOAT:
        json_float(w, value->u.f32);
        break;
    case TRACE_DOUBLE:
        json_double(w, value->u.f64);
        break;
    case TRACE_STRING:
        json_repaired_text(w, value->u.string, value->count < TEXT_MAX ? (size_t)value->count : TEXT_MAX);
        break;
    case TRACE_OPAQUE:
        json_string(w, address, (size_t)snprintf(address, sizeof address, "0x%" PRIx64, value->u.uint));
        break;
    case TRACE_BLOB:
        if (value->count <= 1024) {
            json_base64(w, value->u.blob, (size_t)value->count);
            break;
        }
        json_string(w, address, (size_t)snprintf(address, sizeof address, "%" PRIu64 " bytes", value->count));
        break;
    case TRACE_ARRAY:
    case TRACE_STRUCT:
    case TRACE_REPR:
    case TRACE_WSTRING:
        json_string(w, address,
                    (size_t)snprintf(address, sizeof address, "(%" PRIu64 " elements)", value->count));
        break;
    default:
        json_null(w);
        break;
    }
}

void chrome_put_call(struct json_writer *w, const struct trace_call *call, const char *name, bool is_over)
{
    json_key(w, "name");
    json_repaired_text(w, name, strlen(name));
    json_key(w, "args");
    json_begin(w, '{');
    for (uint32_t i = 0; call != NULL && i < call->sig->arg_count; ++i) {
        if (call->args[i].type == TRACE_NONE)
            continue;
        json_repaired_text(w, call->sig->arg_names[i], strlen(call->sig->arg_names[i]));
        json_splice(w, ":", 1, false);
        chrome_put_value(w, &call->args[i]);
    }
    if (is_over && call->ret.type != TRACE_NONE) {
        json_key(w, "return value");
        chrome_put_value(w, &call->ret);
    }
}
