/* SPDX-License-Identifier: MIT */
#include "formats/chrome/chrome_values.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX     65536 /* bytes of a string; longer ones are cut */
#define ELEMENTS_MAX 1024  /* of an array, or characters of a wide string */

/* The last element says how many more there are. */
static void put_array(struct json_writer *w, const struct trace_value *v)
{
    uint64_t count = v->count < ELEMENTS_MAX ? v->count : ELEMENTS_MAX;
    json_begin(w, '[');
    for (uint64_t i = 0; i < count; ++i) {
        struct trace_value element;
        trace_array_get(v, i, &element);
        chrome_put_value(w, &element);
    }
    char text[32];
    if (count < v->count)
        json_string(w, text, (size_t)snprintf(text, sizeof text, "(%" PRIu64 " more)", v->count - count));
    json_end(w, ']');
}

static void put_member(struct json_writer *w, const char *name, const struct trace_value *v)
{
    json_repaired_text(w, name, strlen(name));
    json_splice(w, ":", 1, false);
    chrome_put_value(w, v);
}

static void put_struct(struct json_writer *w, const struct trace_value *v)
{
    const struct trace_struct_sig *sig = v->sig.structure;
    json_begin(w, '{');
    for (uint32_t i = 0; i < sig->count; ++i)
        put_member(w, sig->members[i], &v->u.items[i]);
    json_end(w, '}');
}

static void put_wide_text(struct json_writer *w, const struct trace_value *v)
{
    enum { REPLACEMENT = 0xfffd };
    char text[ELEMENTS_MAX * UTF8_MAX_BYTES];
    size_t size = 0;
    for (uint64_t i = 0; i < v->count && i < ELEMENTS_MAX; ++i)
        size += utf8_encode(text + size, utf8_is_character(v->u.wstring[i]) ? v->u.wstring[i] : REPLACEMENT);
    json_string(w, text, size);
}

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
        put_array(w, value);
        break;
    case TRACE_STRUCT:
        put_struct(w, value);
        break;
    case TRACE_REPR: /* the form for people comes first */
        chrome_put_value(w, &value->u.items[0]);
        break;
    case TRACE_WSTRING:
        put_wide_text(w, value);
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
        put_member(w, call->sig->arg_names[i], &call->args[i]);
    }
    if (is_over && call->ret.type != TRACE_NONE) {
        json_key(w, "return value");
        chrome_put_value(w, &call->ret);
    }
}
