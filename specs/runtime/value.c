/* SPDX-License-Identifier: MIT */
#include "runtime/spec.h"

#include <string.h>

size_t spec_type_size(enum spec_type type)
{
    static const uint8_t sizes[SPEC_TYPE_COUNT] = {
        0, 1, 1, 2, 2, 4, 4, 8, 8, sizeof(void *), sizeof(void *), 4, 8, sizeof(void *)};
    return sizes[type];
}

enum spec_type spec_fixed_type(enum spec_type type, enum spec_abi abi)
{
    switch (type) {
    case SPEC_IPTR:
        return abi == SPEC_ABI_32 ? SPEC_I32 : SPEC_I64;
    case SPEC_UPTR:
    case SPEC_PTR:
        return abi == SPEC_ABI_32 ? SPEC_U32 : SPEC_U64;
    default:
        return type;
    }
}

/* Arrays in client memory need not be aligned to their element type, hence memcpy. */
#define LOAD(c_type, member)                                                                                 \
    do {                                                                                                     \
        c_type value;                                                                                        \
        memcpy(&value, (const char *)base + index * sizeof value, sizeof value);                             \
        out->member = value;                                                                                 \
    } while (0)

void spec_load(enum spec_type type, const void *base, size_t index, union spec_arg *out)
{
    out->u = 0;
    switch (type) {
    case SPEC_I8:
        LOAD(int8_t, i);
        break;
    case SPEC_U8:
        LOAD(uint8_t, u);
        break;
    case SPEC_I16:
        LOAD(int16_t, i);
        break;
    case SPEC_U16:
        LOAD(uint16_t, u);
        break;
    case SPEC_I32:
        LOAD(int32_t, i);
        break;
    case SPEC_U32:
        LOAD(uint32_t, u);
        break;
    case SPEC_I64:
        LOAD(int64_t, i);
        break;
    case SPEC_U64:
        LOAD(uint64_t, u);
        break;
    case SPEC_F32:
        LOAD(float, f32);
        break;
    case SPEC_F64:
        LOAD(double, f64);
        break;
    case SPEC_IPTR:
        LOAD(intptr_t, i);
        break;
    case SPEC_UPTR:
    case SPEC_PTR:
        LOAD(uintptr_t, u);
        break;
    case SPEC_VOID:
    case SPEC_TYPE_COUNT:
        break;
    }
}

#define STORE(c_type, member)                                                                                \
    do {                                                                                                     \
        c_type narrow = (c_type)value.member;                                                                \
        memcpy((char *)base + index * sizeof narrow, &narrow, sizeof narrow);                                \
    } while (0)

void spec_store(enum spec_type type, void *base, size_t index, union spec_arg value)
{
    switch (type) {
    case SPEC_I8:
    case SPEC_U8:
        STORE(uint8_t, u);
        break;
    case SPEC_I16:
    case SPEC_U16:
        STORE(uint16_t, u);
        break;
    case SPEC_I32:
    case SPEC_U32:
        STORE(uint32_t, u);
        break;
    case SPEC_I64:
    case SPEC_U64:
        STORE(uint64_t, u);
        break;
    case SPEC_F32:
        STORE(float, f32);
        break;
    case SPEC_F64:
        STORE(double, f64);
        break;
    case SPEC_IPTR:
    case SPEC_UPTR:
    case SPEC_PTR:
        STORE(uintptr_t, u);
        break;
    case SPEC_VOID:
    case SPEC_TYPE_COUNT:
        break;
    }
}
