/* SPDX-License-Identifier: MIT
 * Tests what is recorded for glArrayElement() with client arrays. Expectations come from section 10.3 of the
 * OpenGL specification (compatibility profile).
 */
#include "client_array_calls.h"

#include "cmocka_all.h"

#include <math.h>
#include <string.h>

static const int8_t b[] = {9, 9, 9, 9, 1, -2, 3, -128};
static const uint8_t ub[] = {9, 9, 9, 9, 1, 2, 3, 255};
static const int16_t s[] = {9, 9, 9, 9, 1, -2, 300, -4};
static const uint16_t us[] = {9, 9, 9, 9, 1, 2, 300, 65535};
static const int32_t i32[] = {9, 9, 9, 9, 1, -2, 70000, -4};
static const uint32_t ui[] = {9, 9, 9, 9, 1, 2, 70000, 0xffffffff};
static const float f32[] = {9, 9, 9, 9, 1, -2.5f, 3, 4};
static const double d[] = {9, 9, 9, 9, 1, -2.5, 3, 4};
static const uint16_t half[] = {9, 9, 9, 9, 0x3c00, 0xc100, 0x0001, 0x7bff};
static const float from_half[] = {1, -2.5f, 5.9604644775390625e-8f, 65504};
static const int32_t fixed[] = {9, 9, 9, 9, 65536, -163840, 0, 32768};
static const float from_fixed[] = {1, -2.5f, 0, 0.5f};
static const uint16_t half_ends[] = {9, 9, 9, 9, 0x7c00, 0xfc00, 0x8000, 0x83ff};
static const float from_half_ends[] = {INFINITY, -INFINITY, -0.0f, -6.097555160522461e-5f};
static const uint32_t packed[] = {9, 9, 9, 9, 0x12345678}, packed_ends[] = {9, 9, 9, 9, 0xc00ffc03};
static const uint32_t swapped[] = {0x27845523}, swapped_ends[] = {0xc03ffc00};
static const int16_t s0001[] = {1, -2, 0, 1};
static const uint8_t ub001[] = {1, 2, 3, 255}, ub1[] = {1, 2, 0, 1}, bgra[] = {3, 2, 1, 255};
static const uint16_t us_one[] = {1, 0, 0, 65535};
static const int32_t i_one[] = {1, -2, 0, 1};

/* The call for element 1 (element 4 of arrays with one component). */
static const struct {
    enum gl_array array;
    int32_t size;
    uint32_t type;
    bool normalized, integer;
    const void *memory;
    const char *function;
    const void *values;
    unsigned bytes;
} elements[] = {
    {GL_ARRAY_VERTEX, 2, S, false, false, s + 2, "glVertex2sv", s + 4, 4},
    {GL_ARRAY_VERTEX, 3, I, false, false, i32 + 1, "glVertex3iv", i32 + 4, 12},
    {GL_ARRAY_VERTEX, 4, F, false, false, f32, "glVertex4fv", f32 + 4, 16},
    {GL_ARRAY_VERTEX, 4, D, false, false, d, "glVertex4dv", d + 4, 32},
    {GL_ARRAY_VERTEX, 4, H, false, false, half, "glVertex4fv", from_half, 16},
    {GL_ARRAY_VERTEX, 4, FIX, false, false, fixed, "glVertex4fv", from_fixed, 16},
    {GL_ARRAY_NORMAL, 3, B, false, false, b + 1, "glNormal3bv", b + 4, 3},
    {GL_ARRAY_NORMAL, 3, D, false, false, d + 1, "glNormal3dv", d + 4, 24},
    {GL_ARRAY_COLOR, 3, UB, false, false, ub + 1, "glColor3ubv", ub + 4, 3},
    {GL_ARRAY_COLOR, 4, US, false, false, us, "glColor4usv", us + 4, 8},
    {GL_ARRAY_COLOR, 4, UI, false, false, ui, "glColor4uiv", ui + 4, 16},
    {GL_ARRAY_COLOR, 0x80E1, UB, false, false, ub, "glColor4ubv", bgra, 4},
    {GL_ARRAY_COLOR, 4, UPACKED, false, false, packed + 3, "glColorP4uiv", packed + 4, 4},
    {GL_ARRAY_SECONDARY_COLOR, 3, I, false, false, i32 + 1, "glSecondaryColor3iv", i32 + 4, 12},
    {GL_ARRAY_INDEX, 1, UB, false, false, ub + 3, "glIndexubv", ub + 4, 1},
    {GL_ARRAY_INDEX, 1, D, false, false, d + 3, "glIndexdv", d + 4, 8},
    {GL_ARRAY_EDGE_FLAG, 1, UB, false, false, ub + 3, "glEdgeFlagv", ub + 4, 1},
    {GL_ARRAY_FOG_COORD, 1, F, false, false, f32 + 3, "glFogCoordfv", f32 + 4, 4},
    {GL_ARRAY_TEXTURE_0, 1, S, false, false, s + 3, "glTexCoord1sv", s + 4, 2},
    {GL_ARRAY_TEXTURE_0 + 3, 4, D, false, false, d, "glMultiTexCoord4dv", d + 4, 32},
    {GL_ARRAY_GENERIC_0 + 2, 3, F, true, false, f32 + 1, "glVertexAttrib3fv", f32 + 4, 12},
    {GL_ARRAY_GENERIC_0 + 2, 2, S, false, false, s + 2, "glVertexAttrib2sv", s + 4, 4},
    {GL_ARRAY_GENERIC_0 + 2, 3, UB, true, false, ub + 1, "glVertexAttrib4Nubv", ub001, 4},
    {GL_ARRAY_GENERIC_0 + 2, 2, UB, false, false, ub + 2, "glVertexAttrib4ubv", ub1, 4},
    {GL_ARRAY_GENERIC_0 + 2, 1, US, true, false, us + 3, "glVertexAttrib4Nusv", us_one, 8},
    {GL_ARRAY_GENERIC_0 + 2, 4, UB, true, false, ub, "glVertexAttrib4Nubv", ub + 4, 4},
    {GL_ARRAY_GENERIC_0 + 2, 2, I, false, false, i32 + 2, "glVertexAttrib4iv", i_one, 16},
    {GL_ARRAY_GENERIC_0 + 2, 2, I, false, true, i32 + 2, "glVertexAttribI2iv", i32 + 4, 8},
    {GL_ARRAY_GENERIC_0 + 2, 4, UI, false, true, ui, "glVertexAttribI4uiv", ui + 4, 16},
    {GL_ARRAY_GENERIC_0 + 2, 2, S, false, true, s + 2, "glVertexAttribI4sv", s0001, 8},
    {GL_ARRAY_GENERIC_0 + 0, 4, F, false, false, f32, "glVertexAttrib4fv", f32 + 4, 16},
    {GL_ARRAY_COLOR, 0x80E1, UPACKED, false, false, packed + 3, "glColorP4uiv", swapped, 4},
    {GL_ARRAY_COLOR, 0x80E1, UPACKED, false, false, packed_ends + 3, "glColorP4uiv", swapped_ends, 4},
    {GL_ARRAY_VERTEX, 4, H, false, false, half_ends, "glVertex4fv", from_half_ends, 16},
    {GL_ARRAY_GENERIC_0 + 2, 4, UPACKED, true, false, packed + 3, "glVertexAttribP4uiv", packed + 4, 4},
    {GL_ARRAY_GENERIC_0 + 2, 4, UPACKED, false, false, packed + 3, "glVertexAttribP4uiv", packed + 4, 4},
    {GL_ARRAY_TEXTURE_0, 4, UPACKED, false, false, packed + 3, "glTexCoordP4uiv", packed + 4, 4},
    {GL_ARRAY_TEXTURE_0 + 3, 4, UPACKED, false, false, packed + 3, "glMultiTexCoordP4uiv", packed + 4, 4},
    {GL_ARRAY_NORMAL, 3, UPACKED, false, false, packed + 3, "glNormalP3uiv", packed + 4, 4},
    {GL_ARRAY_VERTEX, 4, UPACKED, false, false, packed + 3, "glVertexP4uiv", packed + 4, 4},
};

static void enable_array(unsigned e)
{
    enum gl_array array = elements[e].array;
    stub.arrays[array] = (struct stub_array){.enabled = true,
                                             .size = elements[e].size,
                                             .type = (int32_t)elements[e].type,
                                             .pointer = elements[e].memory,
                                             .normalized = elements[e].normalized,
                                             .integer = elements[e].integer};
    gl_context_get(&stub)->arrays->client_pointers |= (uint64_t)1 << array;
    if (elements[e].integer)
        gl_context_get(&stub)->used |= GL_USES_INTEGER_ARRAYS;
}

static void test_elements(void **state)
{
    (void)state;
    for (unsigned e = 0; e < sizeof elements / sizeof elements[0]; ++e) {
        struct capture_thread *t = stub_start("4.6");
        t->context->used |= GL_USES_ARRAY_ELEMENT;
        enable_array(e);
        STUB_MAKE(glBegin, NULL, 0);
        STUB_MAKE(glArrayElement, NULL, 1);
        assert_int_equal(stub_call_count, 1);
        assert_string_equal(spec_string(stub_calls[0].function->name), elements[e].function);
        assert_memory_equal(stub_calls[0].values, elements[e].values, elements[e].bytes);
        if (elements[e].array == GL_ARRAY_TEXTURE_0 + 3)
            assert_int_equal(stub_calls[0].args[0].u, 0x84C3);
        if (elements[e].array >= GL_ARRAY_GENERIC_0)
            assert_int_equal(stub_calls[0].args[0].u, elements[e].array - GL_ARRAY_GENERIC_0);
        if (elements[e].array == GL_ARRAY_GENERIC_0 + 2 && elements[e].type == UPACKED)
            assert_int_equal(stub_calls[0].args[2].u, elements[e].normalized);
        STUB_MAKE(glEnd, NULL, 0);
        stub_stop();
    }
}

/* Implausible answers of a driver are not trusted, and memory may be unmapped. */
static void test_elements_without_sense(void **state)
{
    (void)state;
    stub_start("4.6");
    enable_array(3); /* doubles */
    stub.arrays[GL_ARRAY_VERTEX].size = 500;
    STUB_MAKE(glBegin, NULL, 0);
    STUB_MAKE(glArrayElement, NULL, 0);
    STUB_MAKE(glArrayElement, NULL, 0);
    assert_int_equal(stub_call_count, 0);
    STUB_MAKE(glEnd, NULL, 0);
    stub.arrays[GL_ARRAY_VERTEX].size = 4;
    stub.arrays[GL_ARRAY_VERTEX].pointer = (const void *)16;
    STUB_MAKE(glBegin, NULL, 0);
    STUB_MAKE(glArrayElement, NULL, 0);
    assert_int_equal(stub_call_count, 0);
    STUB_MAKE(glEnd, NULL, 0);
    stub_stop();
}

/* Arrays are disabled in the trace between glBegin() and glEnd(). For the first element, glEnd() and
 * glBegin() are inserted. After that, arrays are disabled from glBegin() on. */
static void test_elements_disable_arrays(void **state)
{
    (void)state;
    stub_start("4.6");
    enable_array(2);  /* vertices */
    enable_array(9);  /* colors */
    enable_array(19); /* coordinates of unit 3 */
    enable_array(20); /* an attribute */
    stub.client_unit = 1;
    STUB_MAKE(glBegin, NULL, 4);
    stub_expect_calls("");
    STUB_MAKE(glArrayElement, NULL, 1);
    stub_expect_calls("glEnd glClientActiveTexture glDisableClientState glClientActiveTexture "
                      "glDisableClientState glDisableClientState glDisableVertexAttribArray glBegin "
                      "glMultiTexCoord4dv glColor4usv glVertexAttrib3fv glVertex4fv ");
    assert_int_equal(stub_calls[1].args[0].u, 0x84C3);
    assert_int_equal(stub_calls[3].args[0].u, 0x84C1);
    assert_int_equal(stub_calls[7].args[0].u, 4);
    STUB_MAKE(glArrayElement, NULL, 1);
    stub_expect_calls("glMultiTexCoord4dv glColor4usv glVertexAttrib3fv glVertex4fv ");
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3); /* GL_INVALID_OPERATION */
    stub_expect_calls("");
    STUB_MAKE(glEnd, NULL, 0);
    stub_expect_calls("glClientActiveTexture glEnableClientState glClientActiveTexture glEnableClientState "
                      "glEnableClientState glEnableVertexAttribArray ");
    STUB_MAKE(glBegin, NULL, 4);
    stub_expect_calls("glClientActiveTexture glDisableClientState glClientActiveTexture glDisableClientState "
                      "glDisableClientState glDisableVertexAttribArray ");
    STUB_MAKE(glEnd, NULL, 0);
    stub_stop();
}

/* The program's texture unit is restored even if no call follows. */
static void test_elements_of_a_unit(void **state)
{
    (void)state;
    stub_start("4.6");
    enable_array(19); /* coordinates of unit 3 */
    stub.client_unit = 1;
    STUB_MAKE(glBegin, NULL, 4);
    STUB_MAKE(glArrayElement, NULL, 1);
    stub_expect_calls("glEnd glClientActiveTexture glDisableClientState glClientActiveTexture glBegin "
                      "glMultiTexCoord4dv ");
    assert_int_equal(stub_calls[3].args[0].u, 0x84C1);
    STUB_MAKE(glEnd, NULL, 0);
    stub_expect_calls("glClientActiveTexture glEnableClientState glClientActiveTexture ");
    stub_stop();
}

/* Outside of glBegin(), an element only sets current values, like a draw of one vertex. */
static void test_elements_outside(void **state)
{
    (void)state;
    stub_start("4.6");
    enable_array(9);
    STUB_MAKE(glArrayElement, NULL, 2);
    stub_expect_calls("glColorPointer ");
    assert_int_equal(stub_calls[0].bytes, 24);
    STUB_MAKE(glArrayElement, NULL, 0);
    stub_expect_calls("glColorPointer ");
    assert_int_equal(stub_calls[0].bytes, 8);
    STUB_MAKE(glArrayElement, NULL, (uint64_t)-1);
    stub_expect_calls("");
    stub_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_elements_without_sense),
        cmocka_unit_test(test_elements_disable_arrays),
        cmocka_unit_test(test_elements_of_a_unit),
        cmocka_unit_test(test_elements_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
