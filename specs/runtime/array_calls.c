/* SPDX-License-Identifier: MIT */
#include "runtime/array_calls.h"

#include <string.h>

#include "spec_ids.h"

enum {
    V2F = 0x2a20, /* the first format of interleaved arrays, and the last one */
    T4F_C4F_N3F_V4F = 0x2a2d,
    BYTE = 0x1400,
    UNSIGNED_BYTE = 0x1401,
    SHORT = 0x1402,
    UNSIGNED_SHORT = 0x1403,
    UNSIGNED_INT = 0x1405,
    FLOAT = 0x1406,
    DOUBLE = 0x140a,
    HALF_FLOAT = 0x140b,
    FIXED = 0x140c,
    INT64 = 0x140e,
    UNSIGNED_INT64 = 0x140f,
    HALF_FLOAT_OES = 0x8d61,
    BGRA = 0x80e1,
    UNSIGNED_INT_2_10_10_10_REV = 0x8368,
    INT_2_10_10_10_REV = 0x8d9f,
    UNSIGNED_INT_10F_11F_11F_REV = 0x8c3b,
};

/* What a call says of its array. Without an argument, it has a value that is not wrong. */
struct array_call {
    int64_t size, type, stride, normalized;
    bool has_size, has_type;
};

/* This runs at each call that sets an array in memory, so names are compared by what distinguishes them. */
static struct array_call find_arguments(const struct spec_function *f, const union spec_arg *args)
{
    struct array_call c = {.size = 1, .type = BYTE, .normalized = true};
    for (unsigned i = 0; i + 1 < f->param_count; ++i) {
        const char *name = spec_string(spec_param(f, i)->name);
        int64_t value = (int32_t)args[i].u;
        if (name[0] == 't' && strcmp(name, "type") == 0) {
            c.type = value;
            c.has_type = true;
        } else if (name[0] == 's' && strcmp(name, "size") == 0) {
            c.size = value;
            c.has_size = true;
        } else if (name[0] == 's' && strcmp(name, "stride") == 0) {
            c.stride = value;
        } else if (name[0] == 'n' && strcmp(name, "normalized") == 0) {
            c.normalized = value;
        }
    }
    return c;
}

/* The numbers between FLOAT and DOUBLE are types of lists of names only. */
static bool is_type(int64_t type)
{
    return (type >= BYTE && type <= FLOAT) || (type >= DOUBLE && type <= FIXED) || type == INT64 ||
           type == UNSIGNED_INT64 || type == HALF_FLOAT_OES || type == UNSIGNED_INT_2_10_10_10_REV ||
           type == INT_2_10_10_10_REV || type == UNSIGNED_INT_10F_11F_11F_REV;
}

/* No version of OpenGL ES has doubles, and its fixed-function arrays are those of OpenGL ES 1.1 (table 2.4).
 * Extensions may add halves. */
static bool es_has_such_arrays(const struct spec_function *f, int64_t type)
{
    bool is_any = type == FLOAT || type == FIXED || type == HALF_FLOAT || type == HALF_FLOAT_OES;
    switch (f->alias) {
    case SPEC_FN_glVertexPointer:
    case SPEC_FN_glTexCoordPointer:
    case SPEC_FN_glNormalPointer:
        return is_any || type == BYTE || type == SHORT;
    case SPEC_FN_glColorPointer:
        return is_any || type == UNSIGNED_BYTE;
    case SPEC_FN_glVertexAttribIPointer:
        return type <= UNSIGNED_INT;
    default:
        return type != DOUBLE;
    }
}

/* Returns false if this function takes no such type, in whatever version it is (OpenGL 4.6 compatibility
 * profile, table 10.2). */
static bool has_such_arrays(const struct spec_function *f, int64_t type)
{
    bool is_unsigned = type == UNSIGNED_BYTE || type == UNSIGNED_SHORT || type == UNSIGNED_INT;
    switch (f->alias) {
    case SPEC_FN_glVertexPointer:
    case SPEC_FN_glTexCoordPointer:
        return !is_unsigned && type != BYTE;
    case SPEC_FN_glNormalPointer:
        return !is_unsigned;
    case SPEC_FN_glFogCoordPointer:
        return type >= FLOAT;
    case SPEC_FN_glVertexAttribIPointer:
        return type <= UNSIGNED_INT;
    case SPEC_FN_glVertexAttribLPointer:
        return type > FLOAT;
    default:
        return true;
    }
}

/* Fixed-function arrays have fixed-point numbers in OpenGL ES 1 only. */
static bool takes_type(const struct spec_function *f, int64_t type, bool is_es)
{
    if (!is_type(type))
        return false;
    if (is_es)
        return es_has_such_arrays(f, type);
    return has_such_arrays(f, type) && (type != FIXED || f->alias == SPEC_FN_glVertexAttribPointer);
}

static bool combine(const struct spec_function *f, const struct array_call *c)
{
    switch (c->type) {
    case UNSIGNED_INT_2_10_10_10_REV:
    case INT_2_10_10_10_REV:
        return f->alias != SPEC_FN_glVertexAttribPointer || c->size == 4 ||
               (c->size == BGRA && c->normalized != 0);
    case UNSIGNED_INT_10F_11F_11F_REV:
        return c->size == 3;
    default:
        return c->size != BGRA || (c->type == UNSIGNED_BYTE && c->normalized != 0);
    }
}

/* OpenGL ES 1 has fewer sizes of colours and of texture coordinates. */
static bool has_size(const struct spec_function *f, int64_t size, bool is_es)
{
    switch (f->alias) {
    case SPEC_FN_glTexCoordPointer:
        return size >= (is_es ? 2 : 1) && size <= 4;
    case SPEC_FN_glVertexPointer:
        return size >= 2 && size <= 4;
    case SPEC_FN_glColorPointer:
        return size == 4 || (!is_es && (size == 3 || size == BGRA));
    case SPEC_FN_glSecondaryColorPointer:
        return size == 3 || size == BGRA;
    case SPEC_FN_glVertexAttribPointer:
        return (size >= 1 && size <= 4) || size == BGRA;
    default:
        return size >= 1 && size <= 4;
    }
}

bool spec_array_is_refused(const struct spec_function *f, const union spec_arg *args, bool is_es)
{
    const struct array_call c = find_arguments(f, args);
    if (f->alias == SPEC_FN_glWeightPointerARB || f->alias == SPEC_FN_glMatrixIndexPointerARB)
        return false; /* other rules */
    if (c.stride < 0)
        return true;
    if (f->alias == SPEC_FN_glInterleavedArrays)
        return args[0].u < V2F || args[0].u > T4F_C4F_N3F_V4F;
    return !takes_type(f, c.type, is_es) || !has_size(f, c.size, is_es) ||
           (c.has_type && c.has_size && !combine(f, &c));
}

uint32_t spec_array_attribute(const struct spec_function *f, const union spec_arg *args)
{
    return strcmp(spec_string(spec_param(f, 0)->name), "index") == 0 ? (uint32_t)args[0].u : 0;
}

int64_t spec_array_stride(const struct spec_function *f, const union spec_arg *args)
{
    for (unsigned i = f->param_count - 1u; i-- > 0;)
        if (strcmp(spec_string(spec_param(f, i)->name), "stride") == 0)
            return (int32_t)args[i].u;
    return 0;
}
