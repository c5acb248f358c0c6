/* SPDX-License-Identifier: MIT */
#include "diff/python_text.h"

#include "base/format_number.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define MAX_PLAIN_DIGITS 16 /* before the point; larger numbers are written with an exponent */

/* --- numbers --------------------------------------------------------------------------------------- */

static int put_uint(struct buf *out, uint64_t value)
{
    char text[FORMAT_INT_BYTES];
    return buf_append(out, text, format_uint(text, value));
}

static int put_sint(struct buf *out, int64_t value)
{
    char text[FORMAT_INT_BYTES];
    return buf_append(out, text, format_sint(text, value));
}

static int put_pointer(struct buf *out, uint64_t address)
{
    char text[FORMAT_HEX_BYTES];
    if (address == 0)
        return buf_append_string(out, "NULL");
    return buf_append_string(out, "0x") | buf_append(out, text, format_hex(text, address));
}

/* Writes an integer of seventeen digits as d.ddd…e+16. */
static int put_long_integer(struct buf *out, const char *text, size_t size)
{
    size_t sign = text[0] == '-';
    while (size > sign + 1 && text[size - 1] == '0')
        size--;
    int rc = buf_append(out, text, sign + 1);
    if (size > sign + 1)
        rc |= buf_append_byte(out, '.') | buf_append(out, text + sign + 1, size - sign - 1);
    return rc | buf_append_string(out, "e+16");
}

int python_text_double(struct buf *out, double value)
{
    char text[FORMAT_REAL_BYTES];
    if (isnan(value))
        return buf_append_string(out, "nan");
    size_t size = format_double(text, value);
    bool is_plain = true; /* and not 1.5, 1e+20 or inf */
    for (size_t i = 0; i < size && is_plain; ++i)
        is_plain = text[i] <= '9' && text[i] != '.';
    if (is_plain && size - (text[0] == '-') > MAX_PLAIN_DIGITS)
        return put_long_integer(out, text, size);
    int rc = buf_append(out, text, size);
    return is_plain ? rc | buf_append_string(out, ".0") : rc;
}

/* --- strings --------------------------------------------------------------------------------------- */

/* Python's `$` also matches before a final line end. */
static bool is_identifier(const char *text, size_t count)
{
    if (count > 1 && text[count - 1] == '\n')
        count--;
    if (count == 0 || isdigit((unsigned char)text[0]))
        return false;
    for (size_t i = 0; i < count; ++i)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    return true;
}

static int put_character(struct buf *out, unsigned char c, char quote)
{
    switch (c) {
    case '\n':
        return buf_append_string(out, "\\n");
    case '\r':
        return buf_append_string(out, "\\r");
    case '\t':
        return buf_append_string(out, "\\t");
    default:
        break;
    }
    if (c < 0x20 || c == 0x7f)
        return buf_printf(out, "\\x%02x", c);
    if (c == '\\' || c == (unsigned char)quote)
        return buf_append_byte(out, '\\') | buf_append_byte(out, c);
    return buf_append_byte(out, c < 0x80 ? c : '?');
}

static int put_text(struct buf *out, const char *text, size_t count)
{
    if (is_identifier(text, count))
        return buf_append(out, text, count);
    char quote = memchr(text, '\'', count) != NULL && memchr(text, '"', count) == NULL ? '"' : '\'';
    int rc = buf_append_byte(out, (uint8_t)quote);
    for (size_t i = 0; i < count && rc == 0; ++i)
        rc = put_character(out, (unsigned char)text[i], quote);
    return rc | buf_append_byte(out, (uint8_t)quote);
}

int python_text_name(struct buf *out, const char *name)
{
    return put_text(out, name, strlen(name));
}

/* Stops at the first NUL. Characters that are not ASCII become question marks. */
static int put_wstring(struct buf *out, const struct trace_value *v)
{
    struct buf text = BUF_INIT;
    int rc = 0;
    for (uint64_t i = 0; i < v->count && v->u.wstring[i] != 0 && rc == 0; ++i)
        rc = buf_append_byte(&text, v->u.wstring[i] < 0x80 ? (uint8_t)v->u.wstring[i] : '?');
    if (rc == 0)
        rc = put_text(out, text.len > 0 ? (const char *)text.data : "", text.len);
    buf_fini(&text);
    return rc;
}

/* --- compounds ------------------------------------------------------------------------------------- */

static int put_enum(struct buf *out, const struct trace_value *v)
{
    const char *name = trace_enum_find_name(v->sig.enumeration, v->u.sint);
    if (name != NULL)
        return python_text_name(out, name);
    return v->u.sint < 0 && !v->negative ? put_uint(out, v->u.uint) : put_sint(out, v->u.sint);
}

/* Writes the flags that are set, and the remaining bits. A flag of value 0 only occurs in 0. */
static int put_bitmask(struct buf *out, const struct trace_value *v)
{
    const struct trace_bitmask_sig *sig = v->sig.bitmask;
    const char *separator = "";
    uint64_t rest = v->u.uint;
    int rc = buf_append_byte(out, '(');
    for (uint32_t i = 0; i < sig->count && rc == 0; ++i) {
        uint64_t flag = sig->flags[i].value;
        if (flag == 0 ? v->u.uint != 0 : (rest & flag) != flag)
            continue;
        rc = buf_append_string(out, separator) | python_text_name(out, sig->flags[i].name);
        separator = ", ";
        rest &= ~flag;
        if (flag == 0)
            break;
    }
    if (rest != 0)
        rc |= buf_append_string(out, separator) | put_uint(out, rest);
    return rc | buf_append_byte(out, ')');
}

static int put_array(struct buf *out, const struct trace_value *v)
{
    struct trace_value item;
    if (v->count == 1) {
        trace_array_get(v, 0, &item);
        return buf_append_byte(out, '&') | python_text_value(out, &item);
    }
    int rc = buf_append_byte(out, '{');
    for (uint64_t i = 0; i < v->count && rc == 0; ++i) {
        trace_array_get(v, i, &item);
        rc = buf_append_string(out, i > 0 ? ", " : "") | python_text_value(out, &item);
    }
    return rc | buf_append_byte(out, '}');
}

static int put_struct(struct buf *out, const struct trace_value *v)
{
    int rc = buf_append_byte(out, '{');
    for (uint32_t i = 0; i < v->sig.structure->count && rc == 0; ++i)
        rc = buf_append_string(out, i > 0 ? ", " : "") |
             buf_append_string(out, v->sig.structure->members[i]) | buf_append_string(out, " = ") |
             python_text_value(out, &v->u.items[i]);
    return rc | buf_append_byte(out, '}');
}

static int put_blob(struct buf *out, const struct trace_value *v)
{
    return buf_append_string(out, "blob(") | put_uint(out, v->count) | buf_append_byte(out, ')');
}

static int put_compound(struct buf *out, const struct trace_value *v)
{
    struct trace_value plain;
    switch (v->type) {
    case TRACE_ENUM:
        return put_enum(out, v);
    case TRACE_BITMASK:
        return put_bitmask(out, v);
    case TRACE_ARRAY:
        return put_array(out, v);
    case TRACE_STRUCT:
        return put_struct(out, v);
    case TRACE_OPAQUE:
        return put_pointer(out, v->u.uint);
    case TRACE_REPR:
        return python_text_value(out, &v->u.items[0]);
    case TRACE_WSTRING:
        return put_wstring(out, v);
    case TRACE_BLOB:
        return put_blob(out, v);
    case TRACE_BASED:
    case TRACE_RANGED:
    case TRACE_CHOICE:
        trace_value_plain(v, &plain);
        return python_text_value(out, &plain);
    default:
        return buf_append_string(out, "None");
    }
}

int python_text_value(struct buf *out, const struct trace_value *v)
{
    switch (v->type) {
    case TRACE_NULL:
        return buf_append_byte(out, '0');
    case TRACE_FALSE:
        return buf_append_string(out, "False");
    case TRACE_TRUE:
        return buf_append_string(out, "True");
    case TRACE_SINT:
        return put_sint(out, v->u.sint);
    case TRACE_UINT:
        return put_uint(out, v->u.uint);
    case TRACE_FLOAT:
        return python_text_double(out, (double)v->u.f32);
    case TRACE_DOUBLE:
        return python_text_double(out, v->u.f64);
    case TRACE_STRING:
        return python_text_name(out, v->u.string);
    default:
        return put_compound(out, v);
    }
}
