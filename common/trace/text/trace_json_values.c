/* SPDX-License-Identifier: MIT
 * Formats values as JSON objects. Their "type" determines the other members.
 */
#include "trace/text/trace_json.h"

#include "base/error.h"
#include "base/utf8.h"
#include "trace/text/blob_file.h"

#include <stdio.h>
#include <xxhash.h>

/* Begins an object with its type; members may follow. */
#define BEGIN(w, type) json_raw(w, "{\"type\":\"" type "\"", sizeof("{\"type\":\"" type "\"") - 1)

/* Begins an object whose value follows. */
#define BEGIN_VALUE(w, type)                                                                                 \
    do {                                                                                                     \
        json_raw(w, "{\"type\":\"" type "\",\"value\":", sizeof("{\"type\":\"" type "\",\"value\":") - 1);   \
        (w)->comma = false;                                                                                  \
    } while (0)

#define PUT(w, text) json_raw(w, text, sizeof(text) - 1)

void trace_json_keep_error(struct trace_json *j, int rc)
{
    if (j->error.code == 0)
        trace_error_keep(&j->error, rc);
}

static void put_member(struct json_writer *w, const char *name, const char *text)
{
    json_key(w, name);
    json_text(w, text, strlen(text));
}

/* --- named values ---------------------------------------------------------------------------------- */

static void put_enum_value(struct trace_json *j, const struct trace_value *v)
{
    struct json_writer *w = &j->w;
    const char *name = trace_enum_find_name(v->sig.enumeration, v->u.sint);
    BEGIN_VALUE(w, "enum");
    if (v->negative)
        json_sint(w, v->u.sint);
    else
        json_uint(w, v->u.uint);
    if (name != NULL)
        put_member(w, "name", name);
    json_end(w, '}');
}

/* Cached, because the table of GLenum has thousands of names and is searched linearly. */
static void put_enum(struct trace_json *j, const struct trace_value *v)
{
    const struct trace_enum_sig *sig = v->sig.enumeration;
    uint64_t hash = (v->u.uint + (uintptr_t)sig) * UINT64_C(0x9e3779b97f4a7c15);
    struct trace_json_enum *cached = &j->enums[hash >> 54]; /* ten bits: TRACE_JSON_ENUMS */
    if (cached->sig == sig && cached->value == v->u.sint && cached->negative == v->negative) {
        json_raw(&j->w, cached->text, cached->length);
        return;
    }
    size_t comma = j->w.comma;
    size_t start = j->out.len;
    put_enum_value(j, v);
    if (j->w.failed || j->out.len - start - comma > TRACE_JSON_ENUM_TEXT)
        return;
    *cached = (struct trace_json_enum){.sig = sig, .value = v->u.sint, .negative = v->negative};
    cached->length = (uint8_t)(j->out.len - start - comma);
    memcpy(cached->text, j->out.data + start + comma, cached->length);
}

/* The names are the same as in the text: flags are removed from the value one by one. A flag of value 0 names
 * the empty mask if it comes first. */
static void put_bitmask(struct trace_json *j, const struct trace_value *v)
{
    const struct trace_bitmask_sig *sig = v->sig.bitmask;
    struct json_writer *w = &j->w;
    uint64_t rest = v->u.uint;
    BEGIN_VALUE(w, "bitmask");
    json_uint(w, v->u.uint);
    json_key(w, "names");
    json_begin(w, '[');
    for (uint32_t i = 0; i < sig->count; ++i) {
        uint64_t flag = sig->flags[i].value;
        if (flag != 0 ? (rest & flag) != flag : (rest != 0 || i != 0))
            continue;
        json_text(w, sig->flags[i].name, strlen(sig->flags[i].name));
        rest &= ~flag;
        if (rest == 0)
            break;
    }
    json_end(w, ']');
    if (rest != 0) {
        json_key(w, "rest");
        json_uint(w, rest);
    }
    json_end(w, '}');
}

/* --- strings and blobs ----------------------------------------------------------------------------- */

static void put_string(struct trace_json *j, const struct trace_value *v)
{
    BEGIN_VALUE(&j->w, "string");
    json_text(&j->w, v->u.string, v->count);
    json_end(&j->w, '}');
}

static bool is_text(const struct trace_value *v)
{
    for (uint64_t i = 0; i < v->count; ++i)
        if (!utf8_is_character(v->u.wstring[i]))
            return false;
    return true;
}

static void put_wide_text(struct trace_json *j, const struct trace_value *v)
{
    struct buf text = BUF_INIT;
    if (v->count > SIZE_MAX / UTF8_MAX_BYTES || buf_reserve(&text, v->count * UTF8_MAX_BYTES) != 0) {
        trace_json_keep_error(j, trace_error_set(TRACE_ERR_MEMORY, "out of memory"));
        return;
    }
    for (uint64_t i = 0; i < v->count; ++i)
        text.len += utf8_encode((char *)text.data + text.len, v->u.wstring[i]);
    json_string(&j->w, (const char *)text.data, text.len);
    buf_fini(&text);
}

/* Writes a list of numbers if some units are not characters, such as surrogates in UTF-16. */
static void put_wstring(struct trace_json *j, const struct trace_value *v)
{
    struct json_writer *w = &j->w;
    BEGIN_VALUE(w, "wstring");
    if (is_text(v)) {
        put_wide_text(j, v);
    } else {
        json_begin(w, '[');
        for (uint64_t i = 0; i < v->count; ++i)
            json_uint(w, v->u.wstring[i]);
        json_end(w, ']');
    }
    json_end(w, '}');
}

static void put_blob_file(struct trace_json *j, const struct trace_value *v)
{
    char path[TRACE_BLOB_PATH_SIZE];
    int rc = trace_blob_write_file(path, v->u.blob, v->count, j->call_number, j->blob_count++);
    if (rc != 0)
        trace_json_keep_error(j, rc);
    put_member(&j->w, "file", path);
}

static void put_blob(struct trace_json *j, const struct trace_value *v)
{
    struct json_writer *w = &j->w;
    char sum[24];
    BEGIN(w, "blob");
    json_key(w, "size");
    json_uint(w, v->count);
    switch (j->blobs) {
    case TRACE_JSON_BLOBS_SUMMARY:
        j->blobs_left_out++;
        snprintf(sum, sizeof sum, "%016llx", (unsigned long long)XXH64(v->u.blob, (size_t)v->count, 0));
        put_member(w, "xxh64", sum);
        break;
    case TRACE_JSON_BLOBS_FILES:
        put_blob_file(j, v);
        break;
    case TRACE_JSON_BLOBS_INLINE:
        json_key(w, "base64");
        json_base64(w, v->u.blob, (size_t)v->count);
    }
    json_end(w, '}');
}

/* --- values that hold values ----------------------------------------------------------------------- */

static void put_elements(struct json_writer *w, const struct trace_value *v)
{
    switch (v->element) {
    case TRACE_FLOAT:
        for (uint64_t i = 0; i < v->count; ++i)
            json_float(w, v->u.floats[i]);
        break;
    case TRACE_DOUBLE:
        for (uint64_t i = 0; i < v->count; ++i)
            json_double(w, v->u.doubles[i]);
        break;
    case TRACE_SINT:
        for (uint64_t i = 0; i < v->count; ++i)
            json_sint(w, v->u.sints[i]);
        break;
    default:
        for (uint64_t i = 0; i < v->count; ++i)
            json_uint(w, v->u.uints[i]);
    }
}

static const char *element_name(uint8_t type)
{
    switch (type) {
    case TRACE_FLOAT:
        return "float";
    case TRACE_DOUBLE:
        return "double";
    case TRACE_SINT:
        return "sint";
    default:
        return "uint";
    }
}

static void put_array(struct trace_json *j, const struct trace_value *v)
{
    struct json_writer *w = &j->w;
    bool packed = v->element != TRACE_NONE; /* all elements have one type, which is written once */
    BEGIN(w, "array");
    if (packed)
        put_member(w, "element", element_name(v->element));
    json_key(w, "values");
    json_begin(w, '[');
    if (packed)
        put_elements(w, v);
    for (uint64_t i = 0; i < v->count && !packed; ++i)
        trace_json_value(j, &v->u.items[i]);
    json_end(w, ']');
    json_end(w, '}');
}

static void put_struct(struct trace_json *j, const struct trace_value *v)
{
    const struct trace_struct_sig *sig = v->sig.structure;
    struct json_writer *w = &j->w;
    BEGIN(w, "struct");
    put_member(w, "name", sig->name);
    json_key(w, "members");
    json_begin(w, '[');
    for (uint32_t i = 0; i < sig->count; ++i) {
        json_begin(w, '{');
        put_member(w, "name", sig->members[i]);
        json_key(w, "value");
        trace_json_value(j, &v->u.items[i]);
        json_end(w, '}');
    }
    json_end(w, ']');
    json_end(w, '}');
}

/* A text for human readers, and one for programs. */
static void put_repr(struct trace_json *j, const struct trace_value *v)
{
    struct json_writer *w = &j->w;
    BEGIN(w, "repr");
    json_key(w, "human");
    trace_json_value(j, &v->u.items[0]);
    json_key(w, "machine");
    trace_json_value(j, &v->u.items[1]);
    json_end(w, '}');
}

/* --- values of formats other than apitrace's ---------------------------------------------------------- */

static void put_integer_value(struct json_writer *w, const struct trace_value *v)
{
    if (v->negative)
        json_sint(w, v->u.sint);
    else
        json_uint(w, v->u.uint);
}

static void put_based(struct json_writer *w, const struct trace_value *v)
{
    BEGIN_VALUE(w, "integer");
    put_integer_value(w, v);
    json_key(w, "base");
    json_uint(w, v->element);
    json_key(w, "bits");
    json_uint(w, v->count);
    json_end(w, '}');
}

static void put_ranged(struct json_writer *w, const struct trace_value *v)
{
    const struct trace_range_sig *sig = v->sig.ranges;
    BEGIN_VALUE(w, "labelled");
    put_integer_value(w, v);
    json_key(w, "labels");
    json_begin(w, '[');
    for (uint32_t i = 0; i < sig->count; ++i)
        if (trace_range_has(sig, &sig->labels[i], v->u.uint))
            json_text(w, sig->labels[i].name, strlen(sig->labels[i].name));
    json_end(w, ']');
    json_end(w, '}');
}

static void put_choice(struct trace_json *j, const struct trace_value *v)
{
    BEGIN(&j->w, "choice");
    if (v->sig.option != NULL)
        put_member(&j->w, "option", v->sig.option);
    json_key(&j->w, "value");
    trace_json_value(j, &v->u.items[0]);
    json_end(&j->w, '}');
}

/* --- all ------------------------------------------------------------------------------------------- */

static void put_number(struct json_writer *w, const struct trace_value *v)
{
    char text[24];
    switch (v->type) {
    case TRACE_SINT:
        BEGIN_VALUE(w, "sint");
        json_sint(w, v->u.sint);
        break;
    case TRACE_UINT:
        BEGIN_VALUE(w, "uint");
        json_uint(w, v->u.uint);
        break;
    case TRACE_FLOAT:
        BEGIN_VALUE(w, "float");
        json_float(w, v->u.f32);
        break;
    case TRACE_DOUBLE:
        BEGIN_VALUE(w, "double");
        json_double(w, v->u.f64);
        break;
    default:
        BEGIN_VALUE(w, "opaque");
        json_string(w, text, (size_t)snprintf(text, sizeof text, "0x%llx", (unsigned long long)v->u.uint));
    }
    json_end(w, '}');
}

void trace_json_value(struct trace_json *j, const struct trace_value *v)
{
    switch (v->type) {
    case TRACE_NULL:
        PUT(&j->w, "{\"type\":\"null\"}");
        break;
    case TRACE_FALSE:
        PUT(&j->w, "{\"type\":\"bool\",\"value\":false}");
        break;
    case TRACE_TRUE:
        PUT(&j->w, "{\"type\":\"bool\",\"value\":true}");
        break;
    case TRACE_STRING:
        put_string(j, v);
        break;
    case TRACE_WSTRING:
        put_wstring(j, v);
        break;
    case TRACE_BLOB:
        put_blob(j, v);
        break;
    case TRACE_ENUM:
        put_enum(j, v);
        break;
    case TRACE_BITMASK:
        put_bitmask(j, v);
        break;
    case TRACE_ARRAY:
        put_array(j, v);
        break;
    case TRACE_STRUCT:
        put_struct(j, v);
        break;
    case TRACE_REPR:
        put_repr(j, v);
        break;
    case TRACE_BASED:
        put_based(&j->w, v);
        break;
    case TRACE_RANGED:
        put_ranged(&j->w, v);
        break;
    case TRACE_CHOICE:
        put_choice(j, v);
        break;
    case TRACE_NONE:
        PUT(&j->w, "{\"type\":\"missing\"}");
        break;
    default:
        put_number(&j->w, v);
    }
}
