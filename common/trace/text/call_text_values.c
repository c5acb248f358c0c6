/* SPDX-License-Identifier: MIT
 * Formats values of all types.
 */
#include "trace/text/call_text_values.h"

#include "trace/text/blob_file.h"
#include "trace/text/call_text_scalar.h"
#include "trace/text/call_text_strings.h"

#include <stdio.h>
#include <xxhash.h>

/* --- named values ---------------------------------------------------------------------------------- */

/* Removes the flags one by one. Bits that no flag covers are printed in hexadecimal. A flag of value 0 is the
 * name of the empty mask if it comes first. */
static void put_bitmask(struct trace_call_text *f, const struct trace_value *v)
{
    const struct trace_bitmask_sig *sig = v->sig.bitmask;
    uint64_t rest = v->u.uint;
    bool first = true;
    for (uint32_t i = 0; i < sig->count; ++i) {
        uint64_t flag = sig->flags[i].value;
        if (flag != 0 ? (rest & flag) != flag : (rest != 0 || i != 0))
            continue;
        if (!first)
            PUT_LITERAL(f, " | ");
        PUT_STYLE(f, STYLE_LITERAL);
        put_text(f, sig->flags[i].name);
        PUT_STYLE(f, STYLE_NORMAL);
        first = false;
        rest &= ~flag;
        if (rest == 0)
            break;
    }
    if (rest == 0 && !first)
        return;
    if (!first)
        PUT_LITERAL(f, " | ");
    PUT_STYLE(f, STYLE_LITERAL);
    PUT_LITERAL(f, "0x");
    put_hex(f, rest);
    PUT_STYLE(f, STYLE_NORMAL);
}

/* --- blobs ----------------------------------------------------------------------------------------- */

static void put_blob(struct trace_call_text *f, const struct trace_value *v)
{
    char name[64];
    int rc = 0;
    if (f->style.blob_checksums && !f->style.blobs) {
        snprintf(name, sizeof name, "blob(%llu #%016llx)", (unsigned long long)v->count,
                 (unsigned long long)XXH64(v->u.blob, (size_t)v->count, 0));
    } else if (!f->style.blobs) {
        snprintf(name, sizeof name, "blob(%llu)", (unsigned long long)v->count);
    } else {
        char path[TRACE_BLOB_PATH_SIZE];
        rc = trace_blob_write_file(path, v->u.blob, v->count, f->call_number, f->blob_count++);
        snprintf(name, sizeof name, "blob(\"%s\")", path);
    }
    if (rc != 0)
        trace_call_text_keep_error(f, rc);
    PUT_STYLE(f, STYLE_ADDRESS);
    put_text(f, name);
    PUT_STYLE(f, STYLE_NORMAL);
}

/* --- values that hold values ----------------------------------------------------------------------- */

/* Formats elements of an array of scalars. Room is reserved for several elements at a time. */
static void put_packed(struct trace_call_text *f, const struct trace_value *v)
{
    const size_t batch = 16;
    struct trace_value element = {.type = v->element, .element = TRACE_NONE};
    char *p = NULL;
    for (uint64_t i = 0; i < v->count; ++i) {
        if (i % batch == 0 && (p = reserve(f, batch * (SCALAR_BYTES + 2))) == NULL)
            return;
        if (i > 0)
            p = WRITE_LITERAL(p, ", ");
        if (v->element == TRACE_FLOAT)
            element.u.f32 = v->u.floats[i];
        else
            memcpy(&element.u, v->u.uints + i, sizeof(uint64_t)); /* or doubles, or signed integers */
        p = write_scalar(f, p, &element);
        f->out.len = (size_t)(p - (char *)f->out.data);
    }
}

static void put_items(struct trace_call_text *f, const struct trace_value *v)
{
    for (uint64_t i = 0; i < v->count; ++i) {
        if (i > 0)
            PUT_LITERAL(f, ", ");
        trace_call_text_put_value(f, &v->u.items[i]);
    }
}

static void put_array(struct trace_call_text *f, const struct trace_value *v)
{
    put_byte(f, v->count == 1 ? '&' : '{');
    if (v->element == TRACE_NONE)
        put_items(f, v);
    else
        put_packed(f, v);
    if (v->count != 1)
        put_byte(f, '}');
}

/* The members of a nameless structure are printed as its parent's. Other nameless members are padding. */
static void put_members(struct trace_call_text *f, const struct trace_value *v, bool *first)
{
    const struct trace_struct_sig *sig = v->sig.structure;
    for (uint32_t i = 0; i < sig->count; ++i) {
        const struct trace_value *member = &v->u.items[i];
        if (sig->members[i][0] == '\0') {
            if (member->type == TRACE_STRUCT)
                put_members(f, member, first);
            continue;
        }
        if (!*first)
            PUT_LITERAL(f, ", ");
        *first = false;
        put_text(f, sig->members[i]);
        PUT_STYLE(f, STYLE_NORMAL);
        PUT_LITERAL(f, " = ");
        trace_call_text_put_value(f, member);
    }
}

/* A Windows GUID. apitrace has names for those of DirectX; here they are always printed as numbers. */
static bool put_guid(struct trace_call_text *f, const struct trace_value *v)
{
    char text[64];
    uint8_t tail[8];
    const struct trace_value *items = v->u.items;
    if (strcmp(v->sig.structure->name, "GUID") != 0 || v->count != 4 || items[3].type != TRACE_ARRAY ||
        items[3].count != sizeof tail)
        return false;
    for (unsigned i = 0; i < sizeof tail; ++i) {
        struct trace_value element;
        trace_array_get(&items[3], i, &element);
        tail[i] = (uint8_t)trace_value_to_uint(&element, 0);
    }
    snprintf(text, sizeof text, "uuid(%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x)",
             (unsigned)trace_value_to_uint(&items[0], 0), (unsigned)trace_value_to_uint(&items[1], 0),
             (unsigned)trace_value_to_uint(&items[2], 0), tail[0], tail[1], tail[2], tail[3], tail[4],
             tail[5], tail[6], tail[7]);
    PUT_STYLE(f, STYLE_LITERAL);
    put_text(f, text);
    PUT_STYLE(f, STYLE_NORMAL);
    return true;
}

static void put_struct(struct trace_call_text *f, const struct trace_value *v)
{
    bool first = true;
    if (put_guid(f, v))
        return;
    put_byte(f, '{');
    put_members(f, v, &first);
    put_byte(f, '}');
}

/* The name may have any length. */
static void put_enum(struct trace_call_text *f, const struct trace_value *v)
{
    PUT_STYLE(f, STYLE_LITERAL);
    put_text(f, trace_call_text_find_enum_name(f, v->sig.enumeration, v->u.sint)->name);
    PUT_STYLE(f, STYLE_NORMAL);
}

/* --- values of formats other than apitrace's ---------------------------------------------------------- */

/* Writes the digits of the lowest v->count bits after a prefix of the base. */
static void put_based(struct trace_call_text *f, const struct trace_value *v)
{
    uint64_t bits = v->count < 64 ? v->u.uint & ((UINT64_C(1) << v->count) - 1) : v->u.uint;
    char digits[64], *p = digits + sizeof digits;
    do
        *--p = "0123456789abcdef"[bits % v->element];
    while ((bits /= v->element) != 0);
    PUT_STYLE(f, STYLE_LITERAL);
    put_text(f, v->element == 16 ? "0x" : v->element == 8 ? "0" : "0b");
    put_bytes(f, p, (size_t)(digits + sizeof digits - p));
    PUT_STYLE(f, STYLE_NORMAL);
}

/* The labels of the value, or else its number. */
static void put_ranged(struct trace_call_text *f, const struct trace_value *v)
{
    const struct trace_range_sig *sig = v->sig.ranges;
    bool first = true;
    for (uint32_t i = 0; i < sig->count; ++i) {
        if (!trace_range_has(sig, &sig->labels[i], v->u.uint))
            continue;
        if (!first)
            PUT_LITERAL(f, " | ");
        first = false;
        PUT_STYLE(f, STYLE_LITERAL);
        put_text(f, sig->labels[i].name);
        PUT_STYLE(f, STYLE_NORMAL);
    }
    struct trace_value plain;
    trace_value_plain(v, &plain);
    if (first)
        trace_call_text_put_value(f, &plain);
}

void trace_call_text_put_value(struct trace_call_text *f, const struct trace_value *v)
{
    char *p = reserve(f, SCALAR_BYTES);
    char *end = p == NULL ? NULL : write_scalar(f, p, v);
    if (end != NULL) {
        f->out.len += (size_t)(end - p);
        return;
    }
    switch (v->type) {
    case TRACE_STRING:
        trace_call_text_put_string(f, v->u.string, v->count);
        break;
    case TRACE_WSTRING:
        trace_call_text_put_wstring(f, v->u.wstring, v->count);
        break;
    case TRACE_BLOB:
        put_blob(f, v);
        break;
    case TRACE_ENUM:
        put_enum(f, v);
        break;
    case TRACE_BITMASK:
        put_bitmask(f, v);
        break;
    case TRACE_ARRAY:
        put_array(f, v);
        break;
    case TRACE_STRUCT:
        put_struct(f, v);
        break;
    case TRACE_REPR:
    case TRACE_CHOICE:
        trace_call_text_put_value(f, &v->u.items[0]);
        break;
    case TRACE_BASED:
        put_based(f, v);
        break;
    case TRACE_RANGED:
        put_ranged(f, v);
        break;
    default:
        put_byte(f, '?');
    }
}
