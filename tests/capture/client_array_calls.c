/* SPDX-License-Identifier: MIT */
#include "client_array_calls.h"

#include <string.h>

uint8_t memory[1 << 16];

struct stub_array *set_array(enum gl_array array, int32_t size, uint32_t type, int32_t stride,
                             const void *pointer)
{
    const uint64_t p = STUB_P(pointer), s = (uint64_t)(int64_t)stride;
    struct stub_array *a = &stub.arrays[array];
    *a = (struct stub_array){
        .enabled = true, .size = size, .type = (int32_t)type, .stride = stride, .pointer = pointer};
    const uint64_t sized[8] = {(uint64_t)size, type, s, p}, unsized[8] = {type, s, p}, flag[8] = {s, p};
    const uint64_t generic[8] = {array - GL_ARRAY_GENERIC_0, (uint64_t)size, type, size == 0x80E1, s, p};
    static const struct {
        enum gl_array array;
        uint16_t function;
        uint8_t form;
    } setters[] = {
        {GL_ARRAY_POINT_SIZE, SPEC_FN_glPointSizePointerOES, 1},
        {GL_ARRAY_WEIGHT, SPEC_FN_glWeightPointerARB, 0},
        {GL_ARRAY_MATRIX_INDEX, SPEC_FN_glMatrixIndexPointerARB, 0},
        {GL_ARRAY_SECONDARY_COLOR, SPEC_FN_glSecondaryColorPointer, 0},
        {GL_ARRAY_FOG_COORD, SPEC_FN_glFogCoordPointer, 1},
        {GL_ARRAY_EDGE_FLAG, SPEC_FN_glEdgeFlagPointer, 2},
        {GL_ARRAY_INDEX, SPEC_FN_glIndexPointer, 1},
        {GL_ARRAY_COLOR, SPEC_FN_glColorPointer, 0},
        {GL_ARRAY_NORMAL, SPEC_FN_glNormalPointer, 1},
        {GL_ARRAY_VERTEX, SPEC_FN_glVertexPointer, 0},
    };
    const uint64_t *const forms[] = {sized, unsized, flag};
    if (array >= GL_ARRAY_GENERIC_0)
        assert_false(stub_make(SPEC_FN_glVertexAttribPointer, stub_arguments(generic), NULL));
    else if (array >= GL_ARRAY_TEXTURE_0 && array < GL_ARRAY_INDEX) {
        uint32_t unit = stub.client_unit;
        stub.client_unit = array - GL_ARRAY_TEXTURE_0;
        assert_false(stub_make(SPEC_FN_glTexCoordPointer, stub_arguments(sized), NULL));
        stub.client_unit = unit;
    }
    for (unsigned i = 0; i < sizeof setters / sizeof setters[0]; ++i)
        if (setters[i].array == array)
            assert_false(stub_make(setters[i].function, stub_arguments(forms[setters[i].form]), NULL));
    return a;
}

const struct stub_call *find_call(uint32_t function)
{
    for (unsigned i = 0; i < stub_call_count; ++i)
        if (stub_calls[i].function->id == function)
            return &stub_calls[i];
    return NULL;
}

unsigned bytes_of(uint32_t type)
{
    switch (type) {
    case B:
    case UB:
        return 1;
    case S:
    case US:
    case H:
        return 2;
    case D:
        return 8;
    default:
        return 4;
    }
}
