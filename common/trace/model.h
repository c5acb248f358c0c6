/* SPDX-License-Identifier: MIT
 * The data model: calls, values and signatures, as every reader yields them and every writer accepts them.
 * Tags are those of the apitrace format (docs/trace-format.md, "Values").
 */
#ifndef TRACE_MODEL_H
#define TRACE_MODEL_H

#include "base/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

TRACE_API_BEGIN

enum trace_type {
    TRACE_NULL = 0x00,
    TRACE_FALSE = 0x01,
    TRACE_TRUE = 0x02,
    TRACE_SINT = 0x03,    /* u.sint, negative */
    TRACE_UINT = 0x04,    /* u.uint */
    TRACE_FLOAT = 0x05,   /* u.f32 */
    TRACE_DOUBLE = 0x06,  /* u.f64 */
    TRACE_STRING = 0x07,  /* u.string: count bytes, which may include NULs, then a NUL that is not counted */
    TRACE_BLOB = 0x08,    /* u.blob, count bytes */
    TRACE_ENUM = 0x09,    /* signature, u.sint (two's complement); `negative` says which tag the value had */
    TRACE_BITMASK = 0x0a, /* signature, u.uint */
    TRACE_ARRAY = 0x0b,   /* count elements: packed if `element` is a scalar type, otherwise u.items */
    TRACE_STRUCT = 0x0c,  /* signature, u.items: one value for each member */
    TRACE_OPAQUE = 0x0d,  /* u.uint: an address */
    TRACE_REPR = 0x0e,    /* u.items[0] for human readers, u.items[1] for programs */
    TRACE_WSTRING = 0x0f, /* u.wstring, count characters */
    /* Values of formats other than apitrace's. trace_value_plain() makes the above of them. */
    TRACE_BASED = 0x20,  /* an integer that is shown in base `element` (2, 8 or 16), of `count` bits: u.uint,
                            or  if `negative` u.sint */
    TRACE_RANGED = 0x21, /* the same, whose values or ranges of them have labels; base 10, too */
    TRACE_CHOICE = 0x22, /* u.items[0], one of several alternatives, whose name is `option` */
    TRACE_NONE = 0xff,   /* no value: the trace does not contain this argument or return value */
};

struct trace_enum_name {
    const char *name;
    int64_t value;
};

struct trace_enum_sig {
    uint32_t id;
    uint32_t count;
    const struct trace_enum_name *names; /* in file order; the first entry that matches a value is its name */
};

struct trace_range_label {
    const char *name;
    uint64_t from; /* inclusive, likewise the next; two's complement if the enumeration is signed */
    uint64_t to;
};

struct trace_range_sig {
    uint32_t count;
    bool is_signed;
    const struct trace_range_label *labels; /* ranges may overlap: a value then has several labels */
};

struct trace_flag_name {
    const char *name;
    uint64_t value;
};

struct trace_bitmask_sig {
    uint32_t id;
    uint32_t count;
    const struct trace_flag_name *flags;
};

struct trace_struct_sig {
    uint32_t id;
    const char *name;
    uint32_t count;
    const char *const *members;
};

struct trace_function_sig {
    uint32_t id;
    const char *name;
    uint32_t arg_count;
    const char *const *arg_names;
    uint32_t flags;  /* TRACE_CALL_* bits that follow from the function's name alone */
    uint32_t number; /* by which the traced program knows the function; 0: none */
};

/* A value is a tag and a payload. Arrays are packed if all elements are floats, all are doubles, or all are
 * integers. `element` is then TRACE_FLOAT, TRACE_DOUBLE, TRACE_UINT (u.uints) or TRACE_SINT (u.sints: at
 * least one element is negative, and none is above INT64_MAX). For all other arrays `element` is TRACE_NONE,
 * and the elements are in u.items. */
struct trace_value {
    uint8_t type;    /* enum trace_type */
    uint8_t element; /* TRACE_ARRAY only: enum trace_type of packed elements, or TRACE_NONE */
    bool negative;   /* TRACE_ENUM: the payload had the tag SINT; TRACE_BASED, TRACE_RANGED: it is below 0 */
    uint64_t count;  /* bytes, characters, elements, members, or bits */
    union {
        int64_t sint;
        uint64_t uint;
        float f32;
        double f64;
        const char *string;
        const uint8_t *blob;
        const uint32_t *wstring;
        const struct trace_value *items;
        const float *floats;
        const double *doubles;
        const uint64_t *uints;
        const int64_t *sints;
    } u;
    union {
        const struct trace_enum_sig *enumeration;
        const struct trace_bitmask_sig *bitmask;
        const struct trace_struct_sig *structure;
        const struct trace_range_sig *ranges;
        const char *option; /* NULL: it has no name */
    } sig;
};

struct trace_frame {
    uint32_t id;
    const char *module; /* NULL: unknown; likewise below */
    const char *function;
    const char *file;
    int64_t line;     /* -1: unknown */
    int64_t offset;   /* bytes; -1: unknown */
    uint64_t address; /* in the program's memory; 0: unknown */
};

/* Bits of trace_call.flags and trace_function_sig.flags. The values are those of apitrace, unless noted
 * otherwise. */
enum trace_call_flag {
    TRACE_CALL_FAKE = 1 << 0,
    TRACE_CALL_NON_REPRODUCIBLE = 1 << 1,
    TRACE_CALL_NO_SIDE_EFFECTS = 1 << 2,
    TRACE_CALL_RENDER = 1 << 3,
    TRACE_CALL_SWAP_RENDERTARGET = 1 << 4,
    TRACE_CALL_END_FRAME = 1 << 5,
    TRACE_CALL_INCOMPLETE = 1 << 6,
    TRACE_CALL_VERBOSE = 1 << 7,
    TRACE_CALL_MARKER = 1 << 8,
    TRACE_CALL_MARKER_PUSH = 1 << 9,
    TRACE_CALL_MARKER_POP = 1 << 10,
    /* In signatures only, and not in apitrace: TRACE_CALL_VERBOSE if the call returns 0. */
    TRACE_CALL_VERBOSE_IF_ZERO = 1 << 11,
};

/* The time of an event for which the trace has none. */
#define TRACE_NO_TIME INT64_MIN

struct trace_call {
    uint64_t number;    /* position in the order of entry, from 0 */
    int64_t enter_time; /* nanoseconds on the trace's clock, or TRACE_NO_TIME; likewise below */
    int64_t leave_time;
    uint32_t thread; /* apitrace's number of it; in other formats the low half of trace_origin's, or 0 */
    uint32_t flags;  /* enum trace_call_flag */
    const struct trace_function_sig *sig;
    uint32_t arg_count; /* at least sig->arg_count; arguments that are missing have the type TRACE_NONE */
    const struct trace_value *args;
    struct trace_value ret; /* TRACE_NONE if there is none */
    uint32_t frame_count;
    const struct trace_frame *frames; /* innermost frame first; NULL: the call has no backtrace */
};

struct trace_property {
    const char *name;
    const char *value;
};

/* Returns whether the label is one of the value, two's complement. */
bool trace_range_has(const struct trace_range_sig *sig, const struct trace_range_label *label,
                     uint64_t value);

/* Makes a value of apitrace's types of one that has another type: integers, and of alternatives the one there
 * is. All others are copied. What it contains may still have other types. */
void trace_value_plain(const struct trace_value *v, struct trace_value *out);

/* Converts v to an integer: SINT, UINT, ENUM, BITMASK and OPAQUE as they are; FALSE and TRUE as 0 and 1; NULL
 * as 0; FLOAT and DOUBLE truncated towards 0; REPR by its machine-readable value. Returns fallback for every
 * other type. */
int64_t trace_value_to_sint(const struct trace_value *v, int64_t fallback);
uint64_t trace_value_to_uint(const struct trace_value *v, uint64_t fallback);
double trace_value_to_double(const struct trace_value *v, double fallback);

/* Returns the name of the value, lent like the signature, or NULL if it has none. */
const char *trace_enum_find_name(const struct trace_enum_sig *sig, int64_t value);

/* Gets the element at index (below v->count) of an array, unpacked into *out, which borrows from v. */
void trace_array_get(const struct trace_value *v, uint64_t index, struct trace_value *out);

TRACE_API_END

#endif
