/* SPDX-License-Identifier: MIT */
#include "formats/ctf/babeltrace/babeltrace_values.h"

#include "base/error.h"
#include "base/format_number.h"

#define SCALAR_BYTES (BABELTRACE_MEMBER_BYTES - 8) /* room for a number with 64 binary digits */
#define FLOAT_DIGITS 6
#define BYTE_ONES    UINT64_C(0x0101010101010101)

static inline char *put(char *p, const char *text, size_t count)
{
    memcpy(p, text, count);
    return p + count;
}

#define PUT(p, text) put(p, text, sizeof(text) - 1)

static int put_text(struct log_output *o, const char *text, size_t count)
{
    char *p = log_output_reserve(o, count);
    if (p == NULL)
        return TRACE_ERR_IO;
    log_output_take(o, put(p, text, count));
    return 0;
}

#define PUT_TEXT(o, text) put_text(o, text, sizeof(text) - 1)

/* --- numbers --------------------------------------------------------------------------------------- */

/* The bits of a hexadecimal number are rounded up to whole digits, and those of an octal one. */
static char *put_based(char *p, const struct trace_value *v)
{
    unsigned shift = v->element == 16 ? 4 : v->element == 8 ? 3 : 1;
    unsigned bits = (unsigned)v->count + (v->count % shift != 0 ? shift - (unsigned)v->count % shift : 0);
    uint64_t value = bits < 64 ? v->u.uint & ((UINT64_C(1) << bits) - 1) : v->u.uint;
    unsigned digits = 1;
    if (v->element == 16) {
        p = PUT(p, "0x");
        return p + format_upper_hex(p, value);
    }
    p = v->element == 8 ? PUT(p, "0") : PUT(p, "0b");
    if (v->element == 2)
        digits = (unsigned)v->count;
    else if (value != 0)
        digits = (63 - (unsigned)__builtin_clzll(value)) / shift + 1;
    for (unsigned i = digits; i-- > 0;)
        *p++ = "0123456789ABCDEF"[value >> i * shift & (v->element - 1u)];
    return p;
}

static char *put_integer(char *p, const struct trace_value *v)
{
    if (v->element == 2 || v->element == 8 || v->element == 16)
        return put_based(p, v);
    return p + (v->negative ? format_sint(p, v->u.sint) : format_uint(p, v->u.uint));
}

/* Returns NULL if the value is not a number. */
static inline char *put_number(char *p, const struct trace_value *v)
{
    switch (v->type) {
    case TRACE_UINT:
        return p + format_uint(p, v->u.uint);
    case TRACE_SINT:
        return p + format_sint(p, v->u.sint);
    case TRACE_BASED:
        return put_integer(p, v);
    case TRACE_FLOAT:
        return p + format_real(p, (double)v->u.f32, FLOAT_DIGITS);
    case TRACE_DOUBLE:
        return p + format_real(p, v->u.f64, FLOAT_DIGITS);
    case TRACE_TRUE:
        return PUT(p, "true");
    case TRACE_FALSE:
        return PUT(p, "false");
    case TRACE_OPAQUE:
        return put_based(p, &(struct trace_value){.element = 16, .count = 64, .u.uint = v->u.uint});
    default:
        return NULL;
    }
}

/* --- strings --------------------------------------------------------------------------------------- */

static char *put_escape(char *p, unsigned char c)
{
    static const char controls[] = "\a\b\033\f\n\r\t\v", letters[] = "abefnrtv";
    const char *control = c != '\0' ? strchr(controls, c) : NULL;
    *p++ = '\\';
    if (c >= ' ' && c != 0x7f) {
        *p++ = (char)c;
    } else if (control != NULL) {
        *p++ = letters[control - controls];
    } else {
        *p++ = 'x';
        *p++ = "0123456789abcdef"[c >> 4];
        *p++ = "0123456789abcdef"[c & 15];
    }
    return p;
}

static inline char *put_character(char *p, unsigned char c)
{
    if (c < ' ' || c == '"' || c == '\\' || c == '\'' || c == '?' || c == 0x7f)
        return put_escape(p, c);
    *p = (char)c;
    return p + 1;
}

/* Whether a byte of the word is below limit, at most 0x80. */
static inline bool has_below(uint64_t word, uint8_t limit)
{
    return ((word - BYTE_ONES * limit) & ~word & BYTE_ONES * 0x80) != 0;
}

static inline bool has_byte(uint64_t word, char c)
{
    return has_below(word ^ BYTE_ONES * (uint8_t)c, 1);
}

static inline bool are_plain(uint64_t word)
{
    return !(has_below(word, ' ') | has_byte(word, '"') | has_byte(word, '\\') | has_byte(word, '\'') |
             has_byte(word, '?') | has_byte(word, 0x7f));
}

static char *put_escaped(char *p, const char *text, size_t count)
{
    size_t i = 0;
    for (uint64_t word; count - i >= sizeof word; i += sizeof word) {
        memcpy(&word, text + i, sizeof word);
        if (are_plain(word)) {
            p = put(p, text + i, sizeof word);
            continue;
        }
        for (size_t n = 0; n < sizeof word; ++n)
            p = put_character(p, (unsigned char)text[i + n]);
    }
    for (; i < count; ++i)
        p = put_character(p, (unsigned char)text[i]);
    return p;
}

static int put_string(struct log_output *o, const char *text, size_t count)
{
    const size_t step = 1024, widest = 4; /* bytes of an escape */
    int rc = PUT_TEXT(o, "\"");
    for (size_t i = 0; rc == 0 && i < count; i += step) {
        char *p = log_output_reserve(o, step * widest);
        if (p == NULL)
            return TRACE_ERR_IO;
        log_output_take(o, put_escaped(p, text + i, count - i < step ? count - i : step));
    }
    return rc == 0 ? PUT_TEXT(o, "\"") : rc;
}

/* --- enumerations ---------------------------------------------------------------------------------- */

static int put_labels(struct log_output *o, const struct trace_value *v, uint32_t first, uint32_t count)
{
    const struct trace_range_sig *sig = v->sig.ranges;
    int rc = 0;
    for (uint32_t i = first, n = 0; rc == 0 && n < count; ++i) {
        if (!trace_range_has(sig, &sig->labels[i], v->u.uint))
            continue;
        rc = n++ > 0 ? PUT_TEXT(o, ", ") : 0;
        if (rc == 0)
            rc = put_string(o, sig->labels[i].name, strlen(sig->labels[i].name));
    }
    return rc;
}

static int put_enumeration(struct log_output *o, const struct trace_value *v)
{
    const struct trace_range_sig *sig = v->sig.ranges;
    uint32_t count = 0, first = 0;
    for (uint32_t i = sig->count; i-- > 0;)
        if (trace_range_has(sig, &sig->labels[i], v->u.uint)) {
            first = i;
            ++count;
        }
    int rc = PUT_TEXT(o, "( ");
    if (rc == 0)
        rc = count > 0 ? put_labels(o, v, first, count) : PUT_TEXT(o, "<unknown>");
    char *p = rc == 0 ? log_output_reserve(o, SCALAR_BYTES + 32) : NULL;
    if (p == NULL)
        return TRACE_ERR_IO;
    p = put_integer(PUT(p, " : container = "), v);
    log_output_take(o, PUT(p, " )"));
    return 0;
}

/* --- values that hold values ----------------------------------------------------------------------- */

static int put_element_name(struct log_output *o, uint64_t index, bool with_names)
{
    char *p = log_output_reserve(o, FORMAT_INT_BYTES + 16);
    if (p == NULL)
        return TRACE_ERR_IO;
    if (index > 0)
        p = PUT(p, ", ");
    if (with_names) {
        p = PUT(p, "[");
        p += format_uint(p, index);
        p = PUT(p, "] = ");
    }
    log_output_take(o, p);
    return 0;
}

static int put_array(struct log_output *o, const struct trace_value *v, bool with_names)
{
    struct trace_value element;
    int rc = PUT_TEXT(o, "[ ");
    for (uint64_t i = 0; rc == 0 && i < v->count; ++i) {
        if (v->element != TRACE_NONE)
            trace_array_get(v, i, &element);
        rc = put_element_name(o, i, with_names);
        if (rc == 0)
            rc = babeltrace_put_value(o, v->element != TRACE_NONE ? &element : &v->u.items[i], with_names);
    }
    return rc != 0 ? rc : v->count > 0 ? PUT_TEXT(o, " ]") : PUT_TEXT(o, "]");
}

int babeltrace_put_members(struct log_output *o, const char *const *names, const struct trace_value *values,
                           uint64_t count, bool with_names)
{
    int rc = PUT_TEXT(o, "{ ");
    for (uint64_t i = 0; rc == 0 && i < count; ++i) {
        size_t length = with_names ? strlen(names[i]) : 0;
        char *p = log_output_reserve(o, length + BABELTRACE_MEMBER_BYTES);
        if (p == NULL)
            return TRACE_ERR_IO;
        if (i > 0)
            p = PUT(p, ", ");
        if (with_names)
            p = PUT(put(p, names[i], length), " = ");
        char *end = put_number(p, &values[i]);
        log_output_take(o, end != NULL ? end : p);
        rc = end != NULL ? 0 : babeltrace_put_value(o, &values[i], with_names);
    }
    return rc != 0 ? rc : count > 0 ? PUT_TEXT(o, " }") : PUT_TEXT(o, "}");
}

static int put_choice(struct log_output *o, const struct trace_value *v, bool with_names)
{
    int rc = PUT_TEXT(o, "{ ");
    if (rc == 0)
        rc = babeltrace_put_value(o, &v->u.items[0], with_names);
    return rc == 0 ? PUT_TEXT(o, " }") : rc;
}

int babeltrace_put_value(struct log_output *o, const struct trace_value *v, bool with_names)
{
    char *p = log_output_reserve(o, SCALAR_BYTES), *end;
    if (p == NULL)
        return TRACE_ERR_IO;
    if ((end = put_number(p, v)) != NULL) {
        log_output_take(o, end);
        return 0;
    }
    switch (v->type) {
    case TRACE_STRING:
        return put_string(o, v->u.string, v->count);
    case TRACE_RANGED:
        return put_enumeration(o, v);
    case TRACE_ARRAY:
        return put_array(o, v, with_names);
    case TRACE_STRUCT:
        return babeltrace_put_members(o, v->sig.structure->members, v->u.items, v->count, with_names);
    case TRACE_CHOICE:
        return put_choice(o, v, with_names);
    case TRACE_NONE:
    case TRACE_NULL:
        return PUT_TEXT(o, "<none>");
    default:
        return PUT_TEXT(o, "<not shown>");
    }
}
