/* SPDX-License-Identifier: MIT
 * Tests how a state dump asks the driver, and names its answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "state/state_buffer.h"
#include "state_driver.h"

static const struct state_answer answers[] = {
    {"glGetIntegerv", 0, 0, GL_MAX_LIGHTS, {8}, NULL},
    {"glGetIntegerv", 0, 0, GL_MAX_LABEL_LENGTH, {1}, NULL},
    {"glIsEnabled", 0, 0, GL_BLEND, {1}, NULL},
    {"glIsEnabled", 0, 0, GL_FOG, {0}, NULL},
    {"glGetObjectLabel", GL_BUFFER, 7, 0, {0}, "seven"},
    {"glGetObjectLabel", GL_BUFFER, 8, 0, {0}, ""},
    {"glGetObjectLabel", GL_BUFFER, 0, 0, {0}, "nothing"},
    {NULL, 0, 0, 0, {0}, NULL},
};

static void ask(struct state_dump *d)
{
    assert_int_equal(state_get_integer(d, GL_MAX_LIGHTS, 3), 8);
    assert_int_equal(state_get_integer(d, GL_MAX_CLIP_PLANES, 3), 3);
    assert_true(state_is_enabled(d, GL_BLEND));
    assert_false(state_is_enabled(d, GL_FOG));
    assert_false(state_is_enabled(d, GL_LIGHTING));
    state_driver.error = GL_INVALID_VALUE;
    assert_false(state_no_error(d));
    assert_true(state_no_error(d));
}

static void ask_in_vain(struct state_dump *d)
{
    state_driver.silent = &answers[0];
    assert_int_equal(state_get_integer(d, GL_MAX_LIGHTS, 3), 3);
    state_driver.silent = NULL;
}

static void write_answers(struct state_dump *d)
{
    state_write_label(d, GL_BUFFER, 7, "7");
    state_write_label(d, GL_BUFFER, 8, "8");
    state_write_label(d, GL_BUFFER, 9, "9");
    state_write_label(d, GL_BUFFER, 0, "0");
    state_key(&d->w, "enums");
    state_begin_array(&d->w);
    state_write_enum(d, 0);
    state_write_enum(d, 1);
    state_write_enum(d, GL_BLEND);
    state_write_enum(d, 0xfffffff0);
    state_write_boolean(d, 0);
    state_write_boolean(d, 1);
    state_write_boolean(d, 2);
    state_end_array(&d->w);
}

static void test_questions(void **state)
{
    (void)state;
    state_driver_reset(answers);
    state_driver_run(ask);
    state_driver_run(ask_in_vain);
    state_driver_expect(write_answers,
                        "{\"7\":\"seven\",\"enums\":[\"GL_ZERO\",\"GL_ONE\",\"GL_BLEND\",-16,"
                        "\"GL_FALSE\",\"GL_TRUE\",2]}",
                        "");
}

static void ask_label(struct state_dump *d)
{
    state_write_label(d, GL_BUFFER, 7, "7");
    assert_false(state_is_enabled(d, GL_LIGHTING));
}

/* Without the function, or labels of no length, objects have none. */
static void test_no_labels(void **state)
{
    static const struct state_answer none[] = {
        {"glGetIntegerv", 0, 0, GL_MAX_LABEL_LENGTH, {0}, NULL},
        {"glGetObjectLabel", GL_BUFFER, 7, 0, {0}, "seven"},
        {NULL, 0, 0, 0, {0}, NULL},
    };
    (void)state;
    state_driver_reset(answers);
    state_driver.lacks = "glGetObjectLabel";
    state_driver_expect(ask_label, "{}", "");
    state_driver_reset(none);
    state_driver.lacks = "glIsEnabled";
    state_driver_expect(ask_label, "{}", "");
}

static bool expects_core;

static void ask_profile(struct state_dump *d)
{
    assert_int_equal(d->is_core, expects_core);
}

static void test_profiles(void **state)
{
    static const struct {
        int version, mask;
        bool is_es, is_core;
    } cases[] = {
        {32, GL_CONTEXT_CORE_PROFILE_BIT, false, true},
        {31, GL_CONTEXT_CORE_PROFILE_BIT, false, false},
        {46, GL_CONTEXT_COMPATIBILITY_PROFILE_BIT, false, false},
        {32, GL_CONTEXT_CORE_PROFILE_BIT, true, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct state_answer mask[] = {
            {"glGetIntegerv", 0, 0, GL_CONTEXT_PROFILE_MASK, {cases[i].mask}, NULL},
            {NULL, 0, 0, 0, {0}, NULL},
        };
        state_driver_reset(mask);
        state_driver.version = cases[i].version;
        state_driver.is_es = cases[i].is_es;
        expects_core = cases[i].is_core;
        state_driver_run(ask_profile);
    }
}

/* The program's error is kept for it. */
static void keep(struct state_dump *d)
{
    assert_int_equal(d->r->current->error, GL_INVALID_OPERATION);
}

static void test_errors_are_kept(void **state)
{
    (void)state;
    state_driver_reset(answers);
    state_driver.error = GL_INVALID_OPERATION;
    state_driver_run(keep);
}

/* --- buffers -------------------------------------------------------------------------------------------- */

static GLuint buffer;
static GLintptr offset;
static GLsizeiptr length;
static const char *expected;

static void read_part(struct state_dump *d)
{
    char bytes[16] = "";
    bool is_read = state_read_buffer(d, buffer, offset, length, bytes);
    assert_int_equal(is_read, expected != NULL);
    if (is_read)
        assert_memory_equal(bytes, expected, (size_t)length + 1);
}

static const struct state_answer buffers[] = {
    {"glGetIntegerv", 0, 0, GL_COPY_READ_BUFFER_BINDING, {5}, NULL},
    {"glGetIntegerv", 0, 0, GL_ARRAY_BUFFER_BINDING, {6}, NULL},
    {"glGetBufferParameteriv", 7, 0, GL_BUFFER_SIZE, {10}, NULL},
    {NULL, 0, 0, 0, {0}, NULL},
};

static void expect_read(GLuint of, GLintptr from, GLsizeiptr size, const char *bytes)
{
    buffer = of;
    offset = from;
    length = size;
    expected = bytes;
    state_driver.bytes = (const uint8_t *)"0123456789";
    state_driver_run(read_part);
}

static void test_parts_of_buffers(void **state)
{
    (void)state;
    state_driver_reset(buffers);
    expect_read(7, 0, 10, "0123456789");
    expect_read(7, 9, 1, "9");
    expect_read(7, 3, 2, "34");
    expect_read(7, 10, 1, NULL);
    expect_read(7, 11, 1, NULL);
    expect_read(7, 9, 2, NULL);
    expect_read(7, -1, 2, NULL);
    expect_read(7, 2, 0, NULL);
    expect_read(7, 2, -1, NULL);
    expect_read(7, 0, 11, NULL);
    expect_read(8, 0, 1, NULL);
    expect_read(0, 0, 1, NULL);
    state_driver.fails = "glGetBufferSubData";
    expect_read(7, 0, 1, NULL);
}

#define SIZE_OF_7 "glBindBuffer(0x8f36, 7)\nglBindBuffer(0x8f36, 5)\n"

/* The binding is put back, whatever happens. OpenGL ES has no glGetBufferSubData(). */
static void test_bindings_of_buffers(void **state)
{
    (void)state;
    state_driver_reset(buffers);
    expect_read(7, 3, 2, "34");
    assert_string_equal(state_driver.log, SIZE_OF_7 "glBindBuffer(0x8f36, 7)\n"
                                                    "glGetBufferSubData(0x8f36, 3, 2)\n"
                                                    "glBindBuffer(0x8f36, 5)\n");
    state_driver_reset(buffers);
    state_driver.version = 30;
    expect_read(7, 3, 2, "34");
    assert_string_equal(state_driver.log, "glBindBuffer(0x8892, 7)\nglBindBuffer(0x8892, 6)\n"
                                          "glBindBuffer(0x8892, 7)\n"
                                          "glGetBufferSubData(0x8892, 3, 2)\n"
                                          "glBindBuffer(0x8892, 6)\n");
    state_driver_reset(buffers);
    state_driver.is_es = true;
    state_driver.version = 30;
    expect_read(7, 3, 2, "34");
    assert_string_equal(state_driver.log, SIZE_OF_7 "glBindBuffer(0x8f36, 7)\n"
                                                    "glMapBufferRange(0x8f36, 3, 2, 0x1)\n"
                                                    "glUnmapBuffer(0x8f36)\n"
                                                    "glBindBuffer(0x8f36, 5)\n");
    state_driver.fails = "glUnmapBuffer";
    expect_read(7, 3, 2, NULL);
    state_driver_reset(buffers);
    state_driver.fails = "glMapBufferRange";
    state_driver.is_es = true;
    expect_read(7, 3, 2, NULL);
    assert_string_equal(state_driver.log, SIZE_OF_7 "glBindBuffer(0x8f36, 7)\n"
                                                    "glMapBufferRange(0x8f36, 3, 2, 0x1)\n"
                                                    "glBindBuffer(0x8f36, 5)\n");
    state_driver_reset(buffers);
    state_driver.is_es = true;
    state_driver.version = 20;
    expect_read(7, 3, 2, NULL);
    state_driver_reset(buffers);
    state_driver.lacks = "glGetBufferSubData";
    expect_read(7, 3, 2, "34");
    static const char *const functions[] = {"glBindBuffer", "glGetBufferParameteriv"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        state_driver_reset(buffers);
        state_driver.lacks = functions[i];
        expect_read(7, 3, 2, NULL);
        assert_string_equal(state_driver.log, "");
    }
}

static void read_first_byte(struct state_dump *d)
{
    char byte = '?';
    assert_false(state_read_buffer(d, 7, 0, 1, &byte));
    assert_int_equal(byte, '?');
}

/* A driver of OpenGL ES may lack what maps buffers, or map nothing without an error. */
static void test_buffers_that_are_not_mapped(void **state)
{
    static const char *const functions[] = {"glMapBufferRange", "glUnmapBuffer", NULL};
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        state_driver_reset(buffers);
        state_driver.is_es = true;
        state_driver.lacks = functions[i];
        state_driver.bytes = functions[i] != NULL ? (const uint8_t *)"0123456789" : NULL;
        state_driver_run(read_first_byte);
        assert_int_equal(strstr(state_driver.log, "glMapBufferRange") != NULL, functions[i] == NULL);
        assert_null(strstr(state_driver.log, "glUnmapBuffer"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_no_labels),
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_errors_are_kept),
        cmocka_unit_test(test_parts_of_buffers),
        cmocka_unit_test(test_bindings_of_buffers),
        cmocka_unit_test(test_buffers_that_are_not_mapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
