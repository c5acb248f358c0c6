/* SPDX-License-Identifier: MIT
 * Writes scalars as text into memory that is already reserved. Most calls consist only of scalars, so the
 * memory is reserved once for the whole call, and the end of the text stays in a register.
 */
#ifndef TRACE_CALL_TEXT_SCALAR_H
#define TRACE_CALL_TEXT_SCALAR_H

#include "trace/text/call_text_put.h"

/* The precision of apitrace; for floats it is 7. Neither distinguishes all values. */
#define DOUBLE_DIGITS 16

/* An upper bound for the text of any scalar, with its colours. */
#define SCALAR_BYTES 64

/* Returns the name of value. */
const struct trace_call_text_enum_name *
trace_call_text_find_enum_name(struct trace_call_text *f, const struct trace_enum_sig *sig, int64_t value);

/* Every function writes at p and returns the end of the text. */
static inline __attribute__((always_inline)) char *write_bytes(char *p, const char *bytes, size_t count)
{
    memcpy(p, bytes, count);
    return p + count;
}

#define WRITE_LITERAL(p, text) write_bytes(p, text, sizeof(text) - 1)

/* Formats the value in the formatter's style. The style must not change between calls, since the text is
 * cached. */
static inline char *write_float(struct trace_call_text *f, char *p, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    struct trace_call_text_float *known =
        &f->floats[bits * UINT32_C(0x9e3779b1) >> (32 - CALL_TEXT_FLOAT_BITS)];
    if (known->bits != bits) {
        char text[FORMAT_REAL_BYTES];
        known->bits = bits;
        known->length = (uint32_t)(f->style.exact_floats ? format_float : format_float7)(text, value);
        memcpy(known->text, text, sizeof known->text);
    }
    memcpy(p, known->text, sizeof known->text);
    return p + known->length;
}

static inline char *write_double(const struct trace_call_text *f, char *p, double value)
{
    return p + (f->style.exact_floats ? format_double(p, value) : format_real(p, value, DOUBLE_DIGITS));
}

/* Returns NULL if the name is too long. */
static inline char *write_enum(struct trace_call_text *f, char *p, const struct trace_value *v)
{
    const struct trace_call_text_enum_name *known =
        trace_call_text_find_enum_name(f, v->sig.enumeration, v->u.sint);
    if (known->name == NULL)
        return p + format_sint(p, v->u.sint);
    memcpy(p, known->text, sizeof known->text);
    return known->length <= sizeof known->text ? p + known->length : NULL;
}

/* Returns NULL if the value is not a scalar, or is an enum whose name does not fit in SCALAR_BYTES. */
static inline char *write_scalar(struct trace_call_text *f, char *p, const struct trace_value *v)
{
    if (f->style.color)
        p = v->type == TRACE_OPAQUE ? WRITE_LITERAL(p, STYLE_ADDRESS) : WRITE_LITERAL(p, STYLE_LITERAL);
    switch (v->type) {
    case TRACE_NULL:
        p = WRITE_LITERAL(p, "NULL");
        break;
    case TRACE_FALSE:
        p = WRITE_LITERAL(p, "false");
        break;
    case TRACE_TRUE:
        p = WRITE_LITERAL(p, "true");
        break;
    case TRACE_SINT:
        p += format_sint(p, v->u.sint);
        break;
    case TRACE_UINT:
        p += format_uint(p, v->u.uint);
        break;
    case TRACE_FLOAT:
        p = write_float(f, p, v->u.f32);
        break;
    case TRACE_DOUBLE:
        p = write_double(f, p, v->u.f64);
        break;
    case TRACE_OPAQUE:
        p = WRITE_LITERAL(p, "0x");
        p += format_hex(p, v->u.uint);
        break;
    case TRACE_ENUM:
        p = write_enum(f, p, v);
        break;
    default:
        return NULL;
    }
    return p != NULL && f->style.color ? WRITE_LITERAL(p, STYLE_NORMAL) : p;
}

#endif
