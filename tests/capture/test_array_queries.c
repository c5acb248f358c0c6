/* SPDX-License-Identifier: MIT
 * Tests what is recorded before a program asks for the format of an array in client memory: the call that has
 * set it, with NULL as its address (OpenGL 4.6, compatibility profile, section 10.3, and table 23.8).
 */
#include "client_array_calls.h"

#include "context/gl_enums.h"

enum { NONE = 0 };

static const struct {
    enum gl_array array;
    uint16_t function;
    uint32_t pnames[4]; /* size, type, stride, buffer */
} queries[] = {
    {GL_ARRAY_VERTEX, SPEC_FN_glVertexPointer, {0x807A, 0x807B, 0x807C, 0x8896}},
    {GL_ARRAY_NORMAL, SPEC_FN_glNormalPointer, {NONE, 0x807E, 0x807F, 0x8897}},
    {GL_ARRAY_COLOR, SPEC_FN_glColorPointer, {0x8081, 0x8082, 0x8083, 0x8898}},
    {GL_ARRAY_INDEX, SPEC_FN_glIndexPointer, {NONE, 0x8085, 0x8086, 0x8899}},
    {GL_ARRAY_TEXTURE_0, SPEC_FN_glTexCoordPointer, {0x8088, 0x8089, 0x808A, 0x889A}},
    {GL_ARRAY_EDGE_FLAG, SPEC_FN_glEdgeFlagPointer, {NONE, NONE, 0x808C, 0x889B}},
    {GL_ARRAY_SECONDARY_COLOR, SPEC_FN_glSecondaryColorPointer, {0x845A, 0x845B, 0x845C, 0x889C}},
    {GL_ARRAY_FOG_COORD, SPEC_FN_glFogCoordPointer, {NONE, 0x8454, 0x8455, 0x889D}},
};

static int32_t answer[4];

static void expect_format(uint16_t function, int32_t stride)
{
    const struct stub_call *call = find_call(function);
    assert_non_null(call);
    unsigned pointer = call->function->param_count - 1u;
    assert_null(call->args[pointer].p);
    assert_int_equal(call->args[pointer - 1].i, stride);
    stub_call_count = 0;
}

static void test_fixed_function_arrays(void **state)
{
    (void)state;
    static const uint16_t getters[] = {SPEC_FN_glGetIntegerv, SPEC_FN_glGetFloatv, SPEC_FN_glGetDoublev,
                                       SPEC_FN_glGetBooleanv, SPEC_FN_glGetInteger64v};
    for (unsigned i = 0; i < sizeof queries / sizeof queries[0]; ++i)
        for (unsigned k = 0; k < 4; ++k) {
            const uint64_t asked[8] = {queries[i].pnames[k], STUB_P(answer)};
            if (asked[0] == NONE)
                continue;
            stub_start("4.6 (Compatibility Profile)");
            set_array(queries[i].array, 3, F, 40, memory)->enabled = k % 2 == 0;
            assert_true(stub_make(getters[(i + k) % 5], stub_arguments(asked), NULL));
            expect_format(queries[i].function, 40);
            stub_stop();
        }
}

/* Of several arrays, the one that is asked about is recorded. */
static void test_asked_array_only(void **state)
{
    (void)state;
    stub_start("2.1");
    set_array(GL_ARRAY_VERTEX, 3, F, 0, memory);
    set_array(GL_ARRAY_COLOR, 4, UB, 8, memory);
    STUB_MAKE(glGetIntegerv, NULL, 0x8082, STUB_P(answer));
    stub_expect_calls("glColorPointer ");
    assert_int_equal(stub_calls[0].args[0].i, 4);
    assert_int_equal(stub_calls[0].args[1].u, UB);
    STUB_MAKE(glGetIntegerv, NULL, SPEC_GL_VIEWPORT, STUB_P(answer));
    STUB_MAKE(glGetIntegerv, NULL, 0x8085, STUB_P(answer)); /* the index array, which is not set */
    STUB_MAKE(glGetIntegerv, NULL, 0, STUB_P(answer));
    stub_expect_calls("");
    stub_stop();
}

static void test_buffers_are_unbound(void **state)
{
    (void)state;
    stub_start("2.1");
    struct stub_array *a = set_array(GL_ARRAY_VERTEX, 3, F, 0, memory);
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ARRAY_BUFFER, 7);
    STUB_MAKE(glGetIntegerv, NULL, 0x807A, STUB_P(answer));
    stub_expect_calls("glBindBuffer glVertexPointer glBindBuffer ");
    a->buffer = 7; /* then the trace has the call that set it */
    STUB_MAKE(glGetIntegerv, NULL, 0x807A, STUB_P(answer));
    stub_expect_calls("");
    a->buffer = 0;
    a->pointer = NULL; /* glPopClientAttrib() */
    STUB_MAKE(glGetIntegerv, NULL, 0x807A, STUB_P(answer));
    stub_expect_calls("");
    stub_stop();
}

static void test_texture_units(void **state)
{
    (void)state;
    stub_start("2.1");
    set_array(GL_ARRAY_TEXTURE_0 + 1, 2, F, 0, memory);
    set_array(GL_ARRAY_TEXTURE_0 + 3, 4, F, 0, memory);
    STUB_MAKE(glGetIntegerv, NULL, 0x8088, STUB_P(answer)); /* unit 0 has no array */
    stub_expect_calls("");
    stub.client_unit = 3;
    STUB_MAKE(glGetIntegerv, NULL, 0x8088, STUB_P(answer));
    stub_expect_calls("glTexCoordPointer ");
    assert_int_equal(stub_calls[0].args[0].i, 4);
    STUB_MAKE(glGetIntegerIndexedvEXT, NULL, 0x8088, 1, STUB_P(answer));
    stub_expect_calls("glClientActiveTexture glTexCoordPointer glClientActiveTexture ");
    assert_int_equal(stub_calls[0].args[0].u, 0x84C1);
    assert_int_equal(stub_calls[1].args[0].i, 2);
    assert_int_equal(stub_calls[2].args[0].u, 0x84C3);
    assert_int_equal(stub.client_unit, 3);
    STUB_MAKE(glGetFloatIndexedvEXT, NULL, 0x8088, 16, STUB_P(answer)); /* the index array follows unit 15 */
    STUB_MAKE(glGetDoubleIndexedvEXT, NULL, 0x807A, 1, STUB_P(answer));
    STUB_MAKE(glGetIntegeri_v, NULL, 0x8A28, 1, STUB_P(answer));
    stub_expect_calls("");
    stub_stop();
}

static void test_unit_beyond_the_last(void **state)
{
    (void)state;
    stub_start("4.6 (Compatibility Profile)");
    set_array(GL_ARRAY_INDEX, 1, F, 0, memory);
    stub.client_unit = GL_TEXTURE_ARRAYS;
    STUB_MAKE(glGetIntegerv, NULL, 0x8088, STUB_P(answer));
    stub_expect_calls("");
    stub_stop();
}

static void test_generic_attributes(void **state)
{
    (void)state;
    static const uint16_t getters[] = {SPEC_FN_glGetVertexAttribiv,    SPEC_FN_glGetVertexAttribfv,
                                       SPEC_FN_glGetVertexAttribdvARB, SPEC_FN_glGetVertexAttribIiv,
                                       SPEC_FN_glGetVertexAttribIuiv,  SPEC_FN_glGetVertexAttribLdv};
    static const uint32_t pnames[] = {0x8623, 0x8624, 0x8625, 0x886A, 0x889F, 0x88FD};
    for (unsigned i = 0; i < 6; ++i) {
        const uint64_t asked[8] = {5, pnames[i], STUB_P(answer)};
        stub_start("OpenGL ES 2.0 Mesa");
        set_array(GL_ARRAY_GENERIC_0 + 5, 2, S, 12, memory)->enabled = false;
        assert_true(stub_make(getters[i], stub_arguments(asked), NULL));
        expect_format(SPEC_FN_glVertexAttribPointer, 12);
        STUB_MAKE(glGetVertexAttribiv, NULL, 5, 0x8626, STUB_P(answer));  /* the current value */
        STUB_MAKE(glGetVertexAttribiv, NULL, 5, 0x8622, STUB_P(answer));  /* enabled */
        STUB_MAKE(glGetVertexAttribiv, NULL, 6, 0x8623, STUB_P(answer));  /* another one */
        STUB_MAKE(glGetVertexAttribiv, NULL, 37, 0x8623, STUB_P(answer)); /* none */
        STUB_MAKE(glGetVertexAttribiv, NULL, UINT32_MAX, 0x8623, STUB_P(answer));
        stub_expect_calls("");
        stub_stop();
    }
}

/* Between glBegin() and glEnd(), queries are errors, and the driver must not be asked. */
static void test_inside_begin(void **state)
{
    (void)state;
    stub_start("2.1");
    set_array(GL_ARRAY_VERTEX, 3, F, 0, memory);
    set_array(GL_ARRAY_TEXTURE_0, 3, F, 0, memory);
    set_array(GL_ARRAY_GENERIC_0, 3, F, 0, memory);
    STUB_MAKE(glBegin, NULL, 4);
    stub_call_count = 0;
    stub.in_begin = true;
    STUB_MAKE(glGetIntegerv, NULL, 0x807A, STUB_P(answer));
    STUB_MAKE(glGetFixedv, NULL, 0x8088, STUB_P(answer));
    STUB_MAKE(glGetIntegerIndexedvEXT, NULL, 0x8088, 0, STUB_P(answer));
    STUB_MAKE(glGetIntegeri_v, NULL, 0x82D8, 0, STUB_P(answer));
    STUB_MAKE(glGetVertexAttribiv, NULL, 0, 0x8623, STUB_P(answer));
    stub_expect_calls("");
    stub_stop();
}

/* The driver is not asked about arrays that the context cannot have, which would be errors. */
static void test_apis_without_the_array(void **state)
{
    (void)state;
    struct capture_thread *t = stub_start("4.6");
    set_array(GL_ARRAY_COLOR, 3, F, 0, memory);
    set_array(GL_ARRAY_GENERIC_0, 3, F, 0, memory);
    t->context->core = true;
    unsigned before = stub.questions;
    STUB_MAKE(glGetIntegerv, NULL, 0x8081, STUB_P(answer));
    STUB_MAKE(glGetVertexAttribiv, NULL, 0, 0x8623, STUB_P(answer));
    assert_int_equal(stub.questions, before);
    stub_stop();
    t = stub_start("OpenGL ES 2.0 Mesa");
    t->context->arrays->client_pointers = (uint64_t)1 << GL_ARRAY_COLOR; /* a call that failed */
    before = stub.questions;
    STUB_MAKE(glGetIntegerv, NULL, 0x8081, STUB_P(answer));
    assert_int_equal(stub.questions, before);
    stub_expect_calls("");
    stub_stop();
}

/* Calls that set formats alone are recorded, and are not to be undone. */
static void test_formats_that_follow(void **state)
{
    (void)state;
    stub_start("4.6 (Compatibility Profile)");
    struct stub_array *a = set_array(GL_ARRAY_GENERIC_0 + 2, 2, I, 20, memory);
    a->binding = 2;
    a->integer = true;
    STUB_MAKE(glGetVertexAttribiv, NULL, 2, 0x8623, STUB_P(answer));
    stub_expect_calls("glVertexAttribIPointer ");
    /* What glVertexAttribIFormat() and the like have set, a draw's pointer has set otherwise in the trace. */
    a->relative_offset = 4;
    STUB_MAKE(glGetVertexAttribiv, NULL, 2, 0x82D5, STUB_P(answer));
    stub_expect_calls("glVertexAttribIFormat glVertexAttribBinding ");
    assert_int_equal(stub_calls[0].args[3].u, 4);
    a->relative_offset = 0;
    a->binding = 3;
    STUB_MAKE(glGetVertexAttribiv, NULL, 2, 0x82D4, STUB_P(answer));
    stub_expect_calls("glVertexAttribIFormat glVertexAttribBinding ");
    assert_int_equal(stub_calls[1].args[1].u, 3);
    a->binding = 2;
    a->binding_stride = 24; /* glBindVertexBuffer() */
    STUB_MAKE(glGetVertexAttribiv, NULL, 2, 0x8624, STUB_P(answer));
    stub_expect_calls("glVertexAttribIFormat glVertexAttribBinding ");
    stub_stop();
}

/* The pointer's call sets the binding of the attribute's number, too (OpenGL 4.6, section 10.3.2). */
static void test_bindings(void **state)
{
    (void)state;
    static const uint16_t getters[] = {SPEC_FN_glGetIntegeri_v, SPEC_FN_glGetInteger64i_v,
                                       SPEC_FN_glGetIntegerIndexedvEXT, SPEC_FN_glGetFloati_v};
    static const uint32_t pnames[] = {0x82D7, 0x82D8, 0x8F4F, 0x82D8}; /* offset, stride, buffer */
    for (unsigned i = 0; i < 4; ++i) {
        const uint64_t asked[8] = {pnames[i], 2, STUB_P(answer)};
        stub_start("4.6 (Compatibility Profile)");
        struct stub_array *a = set_array(GL_ARRAY_GENERIC_0 + 2, 2, F, 20, memory);
        a->binding = 2;
        assert_true(stub_make(getters[i], stub_arguments(asked), NULL));
        expect_format(SPEC_FN_glVertexAttribPointer, 20);
        a->stride = 0;
        a->binding_stride = 8;
        STUB_MAKE(glGetIntegeri_v, NULL, pnames[i], 2, STUB_P(answer));
        expect_format(SPEC_FN_glVertexAttribPointer, 0);
        STUB_MAKE(glGetIntegeri_v, NULL, 0x82D6, 2, STUB_P(answer));    /* the divisor, by its own call */
        STUB_MAKE(glGetIntegeri_v, NULL, pnames[i], 3, STUB_P(answer)); /* another one */
        STUB_MAKE(glGetIntegeri_v, NULL, pnames[i], 32 + 2, STUB_P(answer)); /* none */
        a->buffer = 7;
        STUB_MAKE(glGetIntegeri_v, NULL, pnames[i], 2, STUB_P(answer));
        stub_expect_calls("");
        stub_stop();
    }
}

/* A driver may keep what a call with an error has given it. */
static void test_kept_errors(void **state)
{
    (void)state;
    stub_start("2.1");
    set_array(GL_ARRAY_VERTEX, 3, F, -1, memory);
    stub_call_count = 0;
    STUB_MAKE(glGetIntegerv, NULL, 0x807C, STUB_P(answer));
    stub_expect_calls("");
    stub_stop();
}

static void test_fixed_point_queries(void **state)
{
    (void)state;
    stub_start("OpenGL ES-CM 1.1 Mesa");
    set_array(GL_ARRAY_POINT_SIZE, 1, F, 4, memory);
    STUB_MAKE(glGetFixedv, NULL, 0x898A, STUB_P(answer));
    stub_expect_calls("glPointSizePointerOES ");
    stub_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed_function_arrays),  cmocka_unit_test(test_asked_array_only),
        cmocka_unit_test(test_buffers_are_unbound),    cmocka_unit_test(test_texture_units),
        cmocka_unit_test(test_unit_beyond_the_last),   cmocka_unit_test(test_generic_attributes),
        cmocka_unit_test(test_inside_begin),           cmocka_unit_test(test_fixed_point_queries),
        cmocka_unit_test(test_apis_without_the_array), cmocka_unit_test(test_kept_errors),
        cmocka_unit_test(test_formats_that_follow),    cmocka_unit_test(test_bindings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
