/* SPDX-License-Identifier: MIT */
#include "runtime/array_calls.h"

#include <string.h>

#include "spec_ids.h"

enum {
    BYTE = 0x1400,
    UNSIGNED_BYTE = 0x1401,
    UNSIGNED_INT = 0x1405,
    FIXED = 0x140c,
    UNSIGNED_INT64 = 0x140f,
    HALF_FLOAT_OES = 0x8d61,
    BGRA = 0x80e1,
    UNSIGNED_INT_2_10_10_10_REV = 0x8368,
    INT_2_10_10_10_REV = 0x8d9f,
    UNSIGNED_INT_10F_11F_11F_REV = 0x8c3b,
};

/* Returns the argument with this name, or else `otherwise`. */
static int64_t find(const struct spec_function *f, const union spec_arg *args, const char *name,
                    int64_t otherwise)
{
    for (unsigned i = 0; i < f->param_count; ++i)
        if (strcmp(spec_string(spec_param(f, i)->name), name) == 0)
            return (int32_t)args[i].u;
    return otherwise;
}

static bool is_type(int64_t type)
{
    return (type >= BYTE && type <= UNSIGNED_INT64) || type == HALF_FLOAT_OES ||
           type == UNSIGNED_INT_2_10_10_10_REV || type == INT_2_10_10_10_REV ||
           type == UNSIGNED_INT_10F_11F_11F_REV;
}

static bool takes_type(const struct spec_function *f, int64_t type)
{
    bool is_integer = f->alias == SPEC_FN_glVertexAttribIPointer;
    return is_type(type) && !(is_integer && type > UNSIGNED_INT);
}

static bool combine(const struct spec_function *f, const union spec_arg *args, int64_t size, int64_t type)
{
    switch (type) {
    case UNSIGNED_INT_2_10_10_10_REV:
    case INT_2_10_10_10_REV:
        return f->alias != SPEC_FN_glVertexAttribPointer || size == 4 || size == BGRA;
    case UNSIGNED_INT_10F_11F_11F_REV:
        return size == 3;
    default:
        return size != BGRA || (type == UNSIGNED_BYTE && find(f, args, "normalized", true) != 0);
    }
}

bool spec_array_is_refused(const struct spec_function *f, const union spec_arg *args)
{
    int64_t size = find(f, args, "size", 1), type = find(f, args, "type", BYTE);
    bool takes_bgra = f->alias == SPEC_FN_glColorPointer || f->alias == SPEC_FN_glSecondaryColorPointer ||
                      f->alias == SPEC_FN_glVertexAttribPointer;
    bool is_weight = f->alias == SPEC_FN_glWeightPointerARB || f->alias == SPEC_FN_glMatrixIndexPointerARB;
    if (f->alias == SPEC_FN_glInterleavedArrays || is_weight)
        return false; /* other rules */
    if (find(f, args, "stride", 0) < 0 || !takes_type(f, type))
        return true;
    if (size < 1 || (size > 4 && !(size == BGRA && takes_bgra)))
        return true;
    bool has_type = find(f, args, "type", -1) != -1, has_size = find(f, args, "size", -1) != -1;
    return has_type && has_size && !combine(f, args, size, type);
}
