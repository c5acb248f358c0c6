/* SPDX-License-Identifier: MIT
 * The opcodes are those of Python's pickletools module.
 */
#include "dump/pickle_format.h"

#include "base/error.h"

#include <string.h>

enum pickle_opcode {
    OP_MARK = '(',
    OP_TUPLE = 't',
    OP_TUPLE1 = 0x85,
    OP_TUPLE2 = 0x86,
    OP_EMPTY_LIST = ']',
    OP_APPENDS = 'e',
    OP_EMPTY_DICT = '}',
    OP_SETITEM = 's',
    OP_NONE = 'N',
    OP_NEWTRUE = 0x88,
    OP_NEWFALSE = 0x89,
    OP_BININT = 'J',
    OP_BININT1 = 'K',
    OP_BININT2 = 'M',
    OP_LONG1 = 0x8a,
    OP_BINFLOAT = 'G',
    OP_BINSTRING = 'T',
    OP_SHORT_BINSTRING = 'U',
    OP_BINBYTES = 'B',
    OP_SHORT_BINBYTES = 'C',
    OP_BINUNICODE = 'X',
    OP_BINPUT = 'q',
    OP_GLOBAL = 'c',
    OP_REDUCE = 'R',
    OP_PROTO = 0x80,
    OP_STOP = '.',
};

struct pickler {
    struct buf *out;
    const struct pickle_style *style;
    int rc; /* the first error */
};

/* --- opcodes --------------------------------------------------------------------------------------- */

static void put_bytes(struct pickler *p, const void *bytes, size_t count)
{
    if (p->rc == 0 && buf_append(p->out, bytes, count) != 0)
        p->rc = TRACE_ERR_MEMORY;
}

static void put_op(struct pickler *p, enum pickle_opcode op)
{
    uint8_t byte = (uint8_t)op;
    put_bytes(p, &byte, 1);
}

/* Writes the low count bytes of value, little-endian. */
static void put_number(struct pickler *p, uint64_t value, unsigned count)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < count; ++i)
        bytes[i] = (uint8_t)(value >> (8 * i));
    put_bytes(p, bytes, count);
}

/* Stores objects in the memo although nothing refers to them, because apitrace does so. */
static void put_memo(struct pickler *p)
{
    put_op(p, OP_BINPUT);
    put_number(p, 1, 1);
}

/* Writes two's complement with as few bytes as possible. */
static void put_long(struct pickler *p, uint64_t value, bool negative)
{
    unsigned count = 8;
    const uint8_t sign = negative ? 0xff : 0;
    while (count > 1 && (uint8_t)(value >> (8 * (count - 1))) == sign &&
           ((value >> (8 * (count - 2))) & 0x80) == (sign & 0x80))
        count--;
    bool more = count == 8 && (value >> 63 != 0) != negative;
    put_op(p, OP_LONG1);
    put_number(p, count + more, 1);
    put_number(p, value, count);
    if (more)
        put_number(p, sign, 1);
}

static void put_uint(struct pickler *p, uint64_t value)
{
    if (value <= UINT8_MAX) {
        put_op(p, OP_BININT1);
        put_number(p, value, 1);
    } else if (value <= UINT16_MAX) {
        put_op(p, OP_BININT2);
        put_number(p, value, 2);
    } else if (value <= INT32_MAX) {
        put_op(p, OP_BININT);
        put_number(p, value, 4);
    } else {
        put_long(p, value, false);
    }
}

static void put_sint(struct pickler *p, int64_t value)
{
    if (value >= 0) {
        put_uint(p, (uint64_t)value);
    } else if (value >= INT32_MIN) {
        put_op(p, OP_BININT);
        put_number(p, (uint64_t)value, 4);
    } else {
        put_long(p, (uint64_t)value, true);
    }
}

static void put_double(struct pickler *p, double value)
{
    uint64_t bits;
    uint8_t bytes[8];
    memcpy(&bits, &value, sizeof bits);
    for (unsigned i = 0; i < 8; ++i)
        bytes[i] = (uint8_t)(bits >> (56 - 8 * i));
    put_op(p, OP_BINFLOAT);
    put_bytes(p, bytes, sizeof bytes);
}

/* Writes the opcode and the length before a string or blob. */
static void put_length(struct pickler *p, enum pickle_opcode short_op, enum pickle_opcode op, uint64_t count)
{
    if (count > UINT32_MAX && p->rc == 0)
        p->rc =
            trace_error_set(TRACE_ERR_UNSUPPORTED, "a string or blob of %llu bytes is too large for a pickle",
                            (unsigned long long)count);
    bool is_short = count <= UINT8_MAX && short_op != op;
    put_op(p, is_short ? short_op : op);
    put_number(p, count, is_short ? 1 : 4);
}

static void put_ascii(struct pickler *p, uint32_t c)
{
    put_number(p, c < 0x80 ? c : '?', 1);
}

static void put_string(struct pickler *p, const char *text)
{
    size_t count = strlen(text);
    put_length(p, OP_SHORT_BINSTRING, OP_BINSTRING, count);
    for (size_t i = 0; i < count; ++i)
        put_ascii(p, (uint8_t)text[i]);
    put_memo(p);
}

/* --- values ---------------------------------------------------------------------------------------- */

static void put_value(struct pickler *p, const struct trace_value *v);

static void put_enum(struct pickler *p, const struct trace_value *v)
{
    const char *name = p->style->symbolic ? trace_enum_find_name(v->sig.enumeration, v->u.sint) : NULL;
    if (name != NULL)
        put_string(p, name);
    else if (v->u.sint < 0 && !v->negative)
        put_uint(p, v->u.uint);
    else
        put_sint(p, v->u.sint);
}

/* Writes a tuple of the flags that are set, and of the remaining bits. A flag of value 0 only occurs in 0. */
static void put_bitmask(struct pickler *p, const struct trace_value *v)
{
    const struct trace_bitmask_sig *sig = v->sig.bitmask;
    uint64_t rest = v->u.uint;
    if (!p->style->symbolic) {
        put_uint(p, rest);
        return;
    }
    put_op(p, OP_MARK);
    for (uint32_t i = 0; i < sig->count; ++i) {
        uint64_t flag = sig->flags[i].value;
        if (flag == 0 ? v->u.uint != 0 : (rest & flag) != flag)
            continue;
        put_string(p, sig->flags[i].name);
        rest &= ~flag;
        if (flag == 0)
            break;
    }
    if (rest != 0)
        put_uint(p, rest);
    put_op(p, OP_TUPLE);
}

static void put_array(struct pickler *p, const struct trace_value *v)
{
    put_op(p, OP_EMPTY_LIST);
    put_memo(p);
    put_op(p, OP_MARK);
    for (uint64_t i = 0; i < v->count; ++i) {
        struct trace_value item;
        trace_array_get(v, i, &item);
        put_value(p, &item);
    }
    put_op(p, OP_APPENDS);
}

static void put_struct(struct pickler *p, const struct trace_value *v)
{
    put_op(p, OP_EMPTY_DICT);
    put_memo(p);
    for (uint32_t i = 0; i < v->sig.structure->count; ++i) {
        put_string(p, v->sig.structure->members[i]);
        put_value(p, &v->u.items[i]);
        put_op(p, OP_SETITEM);
    }
}

/* Writes an object of apitrace's unpickle.py. */
static void put_pointer(struct pickler *p, const struct trace_value *v)
{
    static const char name[] = "unpickle\nPointer\n";
    put_op(p, OP_GLOBAL);
    put_bytes(p, name, sizeof name - 1);
    put_memo(p);
    put_uint(p, v->u.uint);
    put_op(p, OP_TUPLE1);
    put_op(p, OP_REDUCE);
}

static void put_blob(struct pickler *p, const struct trace_value *v)
{
    put_length(p, OP_SHORT_BINBYTES, OP_BINBYTES, v->count);
    put_bytes(p, v->u.blob, (size_t)v->count);
    put_memo(p);
}

static void put_wstring(struct pickler *p, const struct trace_value *v)
{
    uint64_t count = 0;
    while (count < v->count && v->u.wstring[count] != 0)
        count++;
    put_length(p, OP_BINUNICODE, OP_BINUNICODE, count);
    for (uint64_t i = 0; i < count; ++i)
        put_ascii(p, v->u.wstring[i]);
    put_memo(p);
}

static void put_compound(struct pickler *p, const struct trace_value *v)
{
    struct trace_value plain;
    switch (v->type) {
    case TRACE_ENUM:
        put_enum(p, v);
        break;
    case TRACE_BITMASK:
        put_bitmask(p, v);
        break;
    case TRACE_ARRAY:
        put_array(p, v);
        break;
    case TRACE_STRUCT:
        put_struct(p, v);
        break;
    case TRACE_OPAQUE:
        put_pointer(p, v);
        break;
    case TRACE_REPR:
        put_value(p, &v->u.items[p->style->symbolic ? 0 : 1]);
        break;
    case TRACE_WSTRING:
        put_wstring(p, v);
        break;
    case TRACE_BASED:
    case TRACE_RANGED:
    case TRACE_CHOICE:
        trace_value_plain(v, &plain);
        put_value(p, &plain);
        break;
    default:
        put_op(p, OP_NONE);
    }
}

static void put_value(struct pickler *p, const struct trace_value *v)
{
    switch (v->type) {
    case TRACE_NULL:
        put_uint(p, 0);
        break;
    case TRACE_FALSE:
        put_op(p, OP_NEWFALSE);
        break;
    case TRACE_TRUE:
        put_op(p, OP_NEWTRUE);
        break;
    case TRACE_SINT:
        put_sint(p, v->u.sint);
        break;
    case TRACE_UINT:
        put_uint(p, v->u.uint);
        break;
    case TRACE_FLOAT:
        put_double(p, (double)v->u.f32);
        break;
    case TRACE_DOUBLE:
        put_double(p, v->u.f64);
        break;
    case TRACE_STRING:
        put_string(p, v->u.string);
        break;
    case TRACE_BLOB:
        put_blob(p, v);
        break;
    default:
        put_compound(p, v);
    }
}

int pickle_format_call(struct buf *out, const struct pickle_style *style, const struct trace_call *call)
{
    struct pickler p = {out, style, 0};
    put_op(&p, OP_PROTO);
    put_number(&p, 3, 1);
    put_op(&p, OP_MARK);
    put_uint(&p, call->number);
    if (style->thread_ids)
        put_uint(&p, call->thread);
    put_string(&p, call->sig->name);
    put_op(&p, OP_EMPTY_LIST);
    put_memo(&p);
    put_op(&p, OP_MARK);
    for (uint32_t i = 0; i < call->arg_count; ++i) {
        put_string(&p, call->sig->arg_names[i]);
        put_value(&p, &call->args[i]);
        put_op(&p, OP_TUPLE2);
    }
    put_op(&p, OP_APPENDS);
    put_value(&p, &call->ret);
    put_uint(&p, call->flags);
    put_op(&p, OP_TUPLE);
    put_op(&p, OP_STOP);
    return p.rc;
}
