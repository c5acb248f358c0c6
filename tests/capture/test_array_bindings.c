/* SPDX-License-Identifier: MIT
 * Tests what is recorded of vertex arrays in memory when a buffer or another binding takes their place
 * (OpenGL 4.6, compatibility profile, section 10.3.2).
 */
#include "client_array_calls.h"

#include "context/gl_enums.h"

/* A buffer replaces the memory, and the format remains. */
static void test_formats(void **state)
{
    (void)state;
    struct capture_thread *t = stub_start("4.6");
    STUB_MAKE(glBindVertexBuffer, NULL, 1, 9, 0, 8);
    stub_expect_calls("");
    struct stub_array *a = set_array(GL_ARRAY_GENERIC_0 + 1, 2, S, 12, memory);
    a->enabled = false;
    a->binding = 7;
    a->relative_offset = 4;
    set_array(GL_ARRAY_VERTEX, 2, S, 12, memory);
    STUB_MAKE(glBindVertexBuffer, NULL, 1, 9, 0, 8);
    stub_expect_calls("glVertexAttribFormat glVertexAttribBinding ");
    static const uint32_t format[] = {1, 2, S, false, 4}, binding[] = {1, 7};
    for (unsigned i = 0; i < 5; ++i)
        assert_int_equal(stub_calls[0].args[i].u, format[i]);
    for (unsigned i = 0; i < 2; ++i)
        assert_int_equal(stub_calls[1].args[i].u, binding[i]);
    a->integer = true;
    t->context->used |= GL_USES_INTEGER_ARRAYS;
    STUB_MAKE(glBindVertexBuffer, NULL, 1, 9, 0, 8);
    stub_expect_calls("glVertexAttribIFormat glVertexAttribBinding ");
    assert_int_equal(stub_calls[0].args[3].u, 4);
    a->buffer = 9;
    STUB_MAKE(glVertexAttribBinding, NULL, 1, 2);
    stub_expect_calls("");
    stub_stop();
}

/* As long as the format is that of the pointer's call, so is the stride, which the program may ask for. */
static void test_stride_of_pointer(void **state)
{
    (void)state;
    stub_start("4.6");
    struct stub_array *a = set_array(GL_ARRAY_GENERIC_0 + 1, 2, S, 12, memory);
    a->binding = 1;
    a->binding_stride = 12;
    STUB_MAKE(glBindVertexBuffer, NULL, 1, 9, 0, 8);
    stub_expect_calls("glVertexAttribPointer ");
    static const uint64_t expected[] = {1, 2, S, false, 12, 0};
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; ++i)
        assert_int_equal(stub_calls[0].args[i].u, expected[i]);
    a->binding_stride = 16; /* of an earlier glBindVertexBuffer() */
    STUB_MAKE(glBindVertexBuffer, NULL, 1, 9, 0, 8);
    stub_expect_calls("glVertexAttribFormat glVertexAttribBinding ");
    stub_stop();
}

/* A buffer is bound, and what is in memory is drawn again later. */
static void test_memory_after_bindings(void **state)
{
    (void)state;
    stub_start("4.6");
    struct stub_array *a = set_array(GL_ARRAY_GENERIC_0 + 1, 2, S, 12, memory);
    a->binding = 1;
    a->binding_stride = 12;
    STUB_MAKE(glBindVertexBuffer, NULL, 1, 9, 0, 12);
    stub_expect_calls("glVertexAttribPointer ");
    a->buffer = 9;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("");
    a->buffer = 0;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("glVertexAttribPointer ");
    assert_int_equal(stub_calls[0].bytes, 28);
    stub_stop();
}

/* The binding has another stride than the pointer's call gave it. */
static void test_step_of_binding(void **state)
{
    (void)state;
    stub_start("4.6");
    struct stub_array *a = set_array(GL_ARRAY_GENERIC_0 + 1, 2, S, 0, memory);
    a->binding = 1;
    a->binding_stride = 16;
    STUB_MAKE(glVertexAttribFormat, NULL, 1, 2, S, false, 0);
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("glVertexAttribPointer glBindVertexBuffer ");
    static const uint64_t binding[] = {1, 0, 0, 16};
    assert_int_equal(stub_calls[0].bytes, 36);
    for (unsigned i = 0; i < sizeof binding / sizeof *binding; ++i)
        assert_int_equal(stub_calls[1].args[i].u, binding[i]);
    a->binding_stride = 4; /* as the pointer's call said */
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("glVertexAttribPointer ");
    assert_int_equal(stub_calls[0].bytes, 12);
    stub_stop();
}

/* The binding with the attribute's number, which the pointer's call changes, may be another attribute's. */
static void test_bindings_of_others(void **state)
{
    (void)state;
    stub_start("4.6");
    struct stub_array *a = set_array(GL_ARRAY_GENERIC_0 + 1, 2, S, 4, memory);
    a->binding = 1;
    STUB_MAKE(glVertexAttribBinding, NULL, 1, 5);
    stub_expect_calls("glVertexAttribPointer ");
    a->binding = 5;
    stub.arrays[GL_ARRAY_GENERIC_0 + 5].binding_stride = 8;
    a->binding_stride = 24;
    a->binding_buffer = 9;
    a->binding_offset = 100;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("glVertexAttribPointer glBindVertexBuffer glVertexAttribBinding ");
    assert_int_equal(stub_calls[0].bytes, 20);
    static const uint64_t buffer[] = {1, 9, 100, 24}, binding[] = {1, 5};
    for (unsigned i = 0; i < sizeof buffer / sizeof *buffer; ++i)
        assert_int_equal(stub_calls[1].args[i].u, buffer[i]);
    for (unsigned i = 0; i < sizeof binding / sizeof *binding; ++i)
        assert_int_equal(stub_calls[2].args[i].u, binding[i]);
    stub_stop();
}

/* Without bindings, nothing is queried or recorded. */
static void test_no_bindings(void **state)
{
    (void)state;
    stub_start("4.2");
    set_array(GL_ARRAY_GENERIC_0 + 1, 2, S, 12, memory);
    STUB_MAKE(glBindVertexBuffer, NULL, 1, 9, 0, 8);
    stub_expect_calls("");
    stub_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_stride_of_pointer),
        cmocka_unit_test(test_memory_after_bindings),
        cmocka_unit_test(test_step_of_binding),
        cmocka_unit_test(test_bindings_of_others),
        cmocka_unit_test(test_no_bindings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
