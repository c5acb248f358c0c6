/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_shape.h"

#include "base/error.h"
#include "base/utf8.h"
#include "formats/ctf/write/ctf_labels.h"
#include "formats/ctf/write/ctf_out_types.h"

#include <stdio.h>

#define TUPLE_ELEMENTS 16   /* of an array of integers of several kinds: in a longer one, all are numbers */
#define TUPLES         4096 /* such classes: afterwards, all are numbers in all */

/* One of the letters that shapes consist of. */
enum shape {
    ABSENT = '-',
    BOOLEAN = 'b',
    SIGNED = 'i',
    UNSIGNED = 'u', /* above INT64_MAX */
    ADDRESS = 'p',
    SINGLE = 'f',
    DOUBLE = 'd',
    TEXT = 's',
    BYTES = 'B',
    ENUMERATION = 'e',
    BITMASK = 'm',
    RANGED = 'r',
    BASED = 'x',
    ARRAY = 'a',
    TUPLE = 't', /* an array of elements of several shapes */
    STRUCTURE = 'S',
    REPRESENTATION = 'R',
};

static bool is_text(const struct ctf_shapes *s, const struct trace_value *v)
{
    return memchr(v->u.string, '\0', (size_t)v->count) == NULL &&
           (!s->dialect->has_booleans || utf8_is_valid(v->u.string, (size_t)v->count));
}

static enum shape shape_of(const struct ctf_shapes *s, const struct trace_value *v)
{
    switch (v->type) {
    case TRACE_NULL:
    case TRACE_OPAQUE:
        return ADDRESS;
    case TRACE_FALSE:
    case TRACE_TRUE:
        return BOOLEAN;
    case TRACE_SINT:
        return SIGNED;
    case TRACE_UINT:
        return v->u.uint <= INT64_MAX ? SIGNED : UNSIGNED;
    case TRACE_FLOAT:
        return SINGLE;
    case TRACE_DOUBLE:
        return DOUBLE;
    case TRACE_STRING:
        return is_text(s, v) ? TEXT : BYTES;
    case TRACE_WSTRING:
        return TEXT;
    case TRACE_BLOB:
        return BYTES;
    case TRACE_ENUM:
        return ENUMERATION;
    case TRACE_BITMASK:
        return BITMASK;
    case TRACE_ARRAY:
        return ARRAY;
    case TRACE_STRUCT:
        return STRUCTURE;
    case TRACE_REPR:
        return REPRESENTATION;
    case TRACE_BASED:
        return BASED;
    case TRACE_RANGED:
        return RANGED;
    default:
        return ABSENT;
    }
}

/* --- the text -------------------------------------------------------------------------------------- */

/* The digits of base 64 have the codes 0x40 to 0x7f. */
static int append_number(struct buf *out, uint64_t number)
{
    int rc = 0;
    for (int i = 0; rc == 0 && (number > 0 || i == 0); ++i, number >>= 6)
        rc = buf_append_byte(out, (uint8_t)(0x40 | (number & 0x3f)));
    return rc == 0 ? buf_append_byte(out, '.') : rc;
}

static uint64_t highest(const struct trace_value *v)
{
    uint64_t high = 0;
    for (uint64_t i = 0; v->element == TRACE_UINT && i < v->count; ++i)
        high |= v->u.uints[i];
    return high;
}

static enum shape shape_of_packed(const struct trace_value *v)
{
    return v->element == TRACE_FLOAT    ? SINGLE
           : v->element == TRACE_DOUBLE ? DOUBLE
           : highest(v) > INT64_MAX     ? UNSIGNED
                                        : SIGNED;
}

static int append_items(struct ctf_shapes *s, const struct trace_value *items, uint64_t count,
                        struct buf *out)
{
    int rc = 0;
    for (uint64_t i = 0; rc == 0 && i < count; ++i)
        rc = ctf_shape_append(s, &items[i], out);
    return rc;
}

/* Whether all elements have the shape of the first one, which is appended. */
static int append_elements(struct ctf_shapes *s, const struct trace_value *v, struct buf *out, bool *is_equal)
{
    size_t at = out->len;
    int rc = ctf_shape_append(s, &v->u.items[0], out);
    size_t length = out->len - at;
    *is_equal = true;
    for (uint64_t i = 1; rc == 0 && *is_equal && i < v->count; ++i) {
        rc = ctf_shape_append(s, &v->u.items[i], out);
        *is_equal =
            out->len - at == 2 * length && memcmp(out->data + at, out->data + at + length, length) == 0;
        out->len = at + length;
    }
    if (!*is_equal)
        out->len = at;
    return rc;
}

static bool is_one_of(const struct ctf_shapes *s, const struct trace_value *v, const char *shapes)
{
    for (uint64_t i = 0; i < v->count; ++i)
        if (strchr(shapes, shape_of(s, &v->u.items[i])) == NULL)
            return false;
    return true;
}

/* Elements of several shapes. Returns the shape of all of them, if they can have one. */
static enum shape common_shape(const struct ctf_shapes *s, const struct trace_value *v)
{
    static const char texts[] = {TEXT, ADDRESS, '\0'}; /* and null pointers: the address of a text */
    static const char integers[] = {SIGNED,  UNSIGNED, BOOLEAN, ADDRESS, ENUMERATION,
                                    BITMASK, RANGED,   BASED,   '\0'};
    if (is_one_of(s, v, texts))
        return TEXT;
    bool is_short = v->count <= TUPLE_ELEMENTS && s->tuples < TUPLES;
    return !is_short && is_one_of(s, v, integers) ? SIGNED : TUPLE;
}

static int append_array(struct ctf_shapes *s, const struct trace_value *v, struct buf *out)
{
    bool is_equal;
    if (v->element != TRACE_NONE)
        return buf_append_byte(out, ARRAY) != 0 ? TRACE_ERR_MEMORY
                                                : buf_append_byte(out, (uint8_t)shape_of_packed(v));
    int rc = buf_append_byte(out, ARRAY);
    if (rc != 0 || v->count == 0)
        return rc == 0 ? buf_append_byte(out, SIGNED) : rc;
    rc = append_elements(s, v, out, &is_equal);
    if (rc != 0 || is_equal)
        return rc;
    enum shape common = common_shape(s, v);
    if (common != TUPLE)
        return buf_append_byte(out, (uint8_t)common);
    out->len--;
    rc = buf_append_byte(out, TUPLE);
    if (rc == 0)
        rc = append_number(out, v->count);
    return rc == 0 ? append_items(s, v->u.items, v->count, out) : rc;
}

static int append_rest(struct ctf_shapes *s, const struct trace_value *v, enum shape shape, struct buf *out)
{
    switch (shape) {
    case ENUMERATION:
        if (v->sig.enumeration->count == 1)
            return ctf_shape_add_single(s, v);
        return append_number(out, (uintptr_t)v->sig.enumeration);
    case BITMASK:
        return append_number(out, (uintptr_t)v->sig.bitmask);
    case RANGED:
        if (append_number(out, (uintptr_t)v->sig.ranges) != 0)
            return TRACE_ERR_MEMORY; /* fall through */
    case BASED:
        return append_number(out, v->element * UINT64_C(256) + v->count * 2 + v->negative);
    case STRUCTURE: {
        int rc = append_number(out, (uintptr_t)v->sig.structure);
        return rc == 0 ? append_items(s, v->u.items, v->count, out) : rc;
    }
    case REPRESENTATION:
        return append_items(s, v->u.items, 2, out);
    default:
        return 0;
    }
}

int ctf_shape_append(struct ctf_shapes *s, const struct trace_value *v, struct buf *out)
{
    if (v->type == TRACE_CHOICE)
        return ctf_shape_append(s, &v->u.items[0], out);
    enum shape shape = shape_of(s, v);
    if (shape == ARRAY)
        return append_array(s, v, out);
    int rc = buf_append_byte(out, (uint8_t)shape);
    return rc == 0 ? append_rest(s, v, shape, out) : rc;
}

/* --- labels ---------------------------------------------------------------------------------------- */

static struct ctf_class *make_boolean(struct ctf_shapes *s)
{
    static const struct ctf_label labels[] = {{"false", {0, 0}}, {"true", {1, 1}}};
    struct ctf_class *c = ctf_out_integer(s->trace, 8, false, 10);
    if (c == NULL)
        return NULL;
    if (s->dialect->has_booleans) {
        c->kind = CTF_BOOL;
        return c;
    }
    c->u.integer.is_enum = true;
    c->u.integer.label_count = 2;
    c->u.integer.labels = labels;
    return c;
}

/* --- compounds ------------------------------------------------------------------------------------- */

/* names: NULL if elements of an array have none. */
static const struct ctf_class *make_structure(struct ctf_shapes *s, const struct trace_value *items,
                                              uint64_t count, const char *const *names)
{
    struct ctf_out_members members = {.items = NULL};
    char number[24];
    for (uint64_t i = 0; i < count; ++i) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)i);
        ctf_out_add_member(&members, s->trace, s->dialect, names != NULL ? names[i] : number,
                           ctf_shape_class(s, &items[i]));
    }
    return ctf_out_structure(&members, s->trace);
}

static const struct ctf_class *make_sequence(struct ctf_shapes *s, enum ctf_kind kind,
                                             const struct ctf_class *element)
{
    return element != NULL ? ctf_out_sequence(s->trace, kind, element) : NULL;
}

static const struct ctf_class *make_bytes(struct ctf_shapes *s)
{
    if (s->dialect->has_booleans)
        return ctf_out_sequence(s->trace, CTF_BLOB_SEQUENCE, NULL);
    return make_sequence(s, CTF_SEQUENCE, ctf_out_integer(s->trace, 8, false, 10));
}

static const struct ctf_class *make_number(struct ctf_shapes *s, enum shape shape)
{
    switch (shape) {
    case SINGLE:
        return ctf_out_float(s->trace, 32);
    case DOUBLE:
        return ctf_out_float(s->trace, 64);
    default:
        return ctf_out_integer(s->trace, 64, shape == SIGNED, 10);
    }
}

/* The shape of elements was found above: if they differ, it is that of a tuple. */
static const struct ctf_class *make_array(struct ctf_shapes *s, const struct trace_value *v)
{
    struct buf shape = BUF_INIT;
    if (v->element != TRACE_NONE)
        return make_sequence(s, CTF_SEQUENCE, make_number(s, shape_of_packed(v)));
    if (v->count == 0)
        return make_sequence(s, CTF_SEQUENCE, make_number(s, SIGNED));
    int rc = append_array(s, v, &shape);
    bool is_tuple = rc == 0 && shape.data[0] == TUPLE;
    enum shape element = rc == 0 && !is_tuple ? shape.data[1] : ABSENT;
    bool is_simple = rc == 0 && shape.len == 2;
    buf_fini(&shape);
    if (rc != 0)
        return NULL;
    s->tuples += is_tuple;
    if (is_tuple)
        return make_structure(s, v->u.items, v->count, NULL);
    if (is_simple && element == TEXT)
        return make_sequence(s, CTF_SEQUENCE, ctf_out_string(s->trace));
    if (is_simple && (element == SIGNED || element == UNSIGNED))
        return make_sequence(s, CTF_SEQUENCE, make_number(s, element));
    return make_sequence(s, CTF_SEQUENCE, ctf_shape_class(s, &v->u.items[0]));
}

const struct ctf_class *ctf_shape_class(struct ctf_shapes *s, const struct trace_value *v)
{
    static const char *const parts[] = {"text", "value"};
    if (v->type == TRACE_CHOICE)
        return ctf_shape_class(s, &v->u.items[0]);
    enum shape shape = shape_of(s, v);
    switch (shape) {
    case BOOLEAN:
        return make_boolean(s);
    case ADDRESS:
        return ctf_out_integer(s->trace, 64, false, 16);
    case TEXT:
        return ctf_out_string(s->trace);
    case BYTES:
        return make_bytes(s);
    case ENUMERATION:
    case BITMASK:
    case RANGED:
        return ctf_shape_labelled(s, v);
    case BASED:
        return ctf_shape_based(s, v);
    case ARRAY:
        return make_array(s, v);
    case STRUCTURE:
        return make_structure(s, v->u.items, v->count, v->sig.structure->members);
    case REPRESENTATION:
        return make_structure(s, v->u.items, 2, parts);
    case ABSENT:
        return make_structure(s, NULL, 0, NULL);
    default:
        return make_number(s, shape);
    }
}
