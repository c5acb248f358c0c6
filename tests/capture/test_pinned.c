/* SPDX-License-Identifier: MIT
 * Tests the fake calls that make a trace independent of the driver: the locations chosen by a link.
 * Expectations come from the OpenGL 4.6 specification, sections 7.3 and 7.6.
 */
#include "stub_driver.h"

#include "context/gl_enums.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

/* --- programs ------------------------------------------------------------------------------------------- */

static struct {
    const char *name;
    int32_t location;
} attributes[4];
static int32_t attribute_count, longest_name, is_linked, uniform_count, longest_uniform;

static void get_program(uint32_t program, uint32_t pname, int32_t *value)
{
    assert_int_equal(program, 5);
    *value = pname == 0x8B82   ? is_linked
             : pname == 0x8B89 ? attribute_count
             : pname == 0x8B8A ? longest_name
             : pname == 0x8B86 ? uniform_count
             : pname == 0x8B87 ? longest_uniform
                               : -1;
}

static void get_attribute(uint32_t program, uint32_t index, int32_t room, int32_t *length, int32_t *size,
                          uint32_t *type, char *name)
{
    (void)program;
    (void)length;
    assert_in_range(index, 0, (uint64_t)attribute_count - 1);
    *size = 1;
    *type = 0x1406;
    if (attributes[index].name != NULL) {
        assert_in_range(strlen(attributes[index].name) + 1, 1, (uint64_t)room);
        strcpy(name, attributes[index].name);
    }
}

static int32_t get_location(uint32_t program, const char *name)
{
    (void)program;
    for (int32_t i = 0; i < attribute_count; ++i)
        if (attributes[i].name != NULL && strcmp(attributes[i].name, name) == 0)
            return attributes[i].location;
    return -1;
}

static uint8_t is_program(uint32_t program)
{
    stub.questions++;
    return program == 5;
}

static void get_resource_name(uint32_t program, uint32_t interface, uint32_t index, int32_t room,
                              int32_t *length, char *name)
{
    assert_int_equal(program, 5);
    assert_int_equal(interface, 0x92E1);
    assert_in_range(index, 0, (uint64_t)uniform_count - 1);
    assert_null(length);
    assert_in_range(room, longest_uniform, longest_uniform + 16);
    memset(name, 'u', (size_t)longest_uniform - 1);
    name[longest_uniform - 1] = '\0';
    name[0] = (char)('a' + index);
}

static capture_function find_program(uint32_t id)
{
    return id == SPEC_FN_glGetProgramiv             ? (capture_function)get_program
           : id == SPEC_FN_glGetActiveAttrib        ? (capture_function)get_attribute
           : id == SPEC_FN_glGetAttribLocation      ? (capture_function)get_location
           : id == SPEC_FN_glIsProgram              ? (capture_function)is_program
           : id == SPEC_FN_glGetProgramResourceName ? (capture_function)get_resource_name
                                                    : NULL;
}

static void set_attribute(unsigned i, const char *name, int32_t location)
{
    attributes[i].name = name;
    attributes[i].location = location;
}

static void link_program(void)
{
    STUB_MAKE(glLinkProgram, NULL, 5);
}

static void test_links(void **state)
{
    (void)state;
    stub_start("4.6");
    stub.more = find_program;
    is_linked = 1;
    attribute_count = longest_name = 0;
    link_program();
    stub_expect_calls("");
    attribute_count = 1;
    longest_name = 2;
    set_attribute(0, "p", 6);
    link_program();
    stub_expect_calls("glBindAttribLocation glLinkProgram ");
    assert_int_equal(stub_calls[0].args[1].u, 6);
    attribute_count = 4;
    longest_name = 12;
    set_attribute(0, "position", 3);
    set_attribute(1, "gl_VertexID", -1);
    set_attribute(2, "nowhere", -1);
    set_attribute(3, "eleven_char", 0);
    link_program();
    stub_expect_calls("glBindAttribLocation glBindAttribLocation glLinkProgram ");
    assert_int_equal(stub_calls[0].args[0].u, 5);
    assert_int_equal(stub_calls[0].args[1].u, 3);
    assert_string_equal((const char *)stub_calls[0].values, "position");
    assert_int_equal(stub_calls[1].args[1].u, 0);
    assert_string_equal((const char *)stub_calls[1].values, "eleven_char");
    assert_int_equal(stub_calls[2].args[0].u, 5);
    is_linked = 0;
    link_program();
    stub_expect_calls("");
    is_linked = 1;
    set_attribute(0, NULL, 3); /* the driver gives no answer */
    set_attribute(3, "gl_Vertex", 2);
    link_program();
    stub_expect_calls("");
    longest_name = 0;
    link_program();
    stub_expect_calls("");
    stub_stop();
}

/* Some drivers do not count the NUL in the length of the longest name. */
static void test_uncounted_nul(void **state)
{
    (void)state;
    stub_start("4.6");
    stub.more = find_program;
    is_linked = attribute_count = 1;
    longest_name = 1;
    set_attribute(0, "p", 6);
    link_program();
    stub_expect_calls("glBindAttribLocation glLinkProgram ");
    assert_string_equal((const char *)stub_calls[0].values, "p");
    stub_stop();
}

/* If the program queries a uniform by number, its name is recorded, provided that the driver can tell it
 * without an error. */
static void test_resources(void **state)
{
    (void)state;
    enum { UNIFORM = 0x92E1, INPUT = 0x92E3, TYPE = 0x92FA, LOCATION = 0x930E };
    static const uint32_t first[] = {LOCATION, TYPE}, last[] = {TYPE, LOCATION};
    static const struct {
        uint64_t program, interface, index, count;
        const uint32_t *properties;
        bool in_begin, told;
    } questions[] = {
        {5, UNIFORM, 0, 1, first, false, true},  {5, UNIFORM, 2, 2, first, false, true},
        {5, UNIFORM, 3, 1, first, false, false}, {5, UNIFORM, UINT32_MAX, 1, first, false, false},
        {5, UNIFORM, 1, 2, last, false, true},   {5, UNIFORM, 1, 1, last, false, false},
        {5, INPUT, 1, 1, first, false, false},   {6, UNIFORM, 1, 1, first, false, false},
        {5, UNIFORM, 1, 0, first, false, false}, {5, UNIFORM, 1, (uint64_t)-1, first, false, false},
        {5, UNIFORM, 1, 1, NULL, false, false},  {5, UNIFORM, 1, 1, (const void *)16, false, false},
        {5, UNIFORM, 1, 1, first, true, false},
    };
    uniform_count = 3;
    longest_uniform = 9;
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; ++i) {
        struct capture_thread *t = stub_start("4.6");
        stub.more = find_program;
        t->context->in_begin = questions[i].in_begin;
        unsigned before = stub.questions;
        const uint64_t args[8] = {questions[i].program, questions[i].interface, questions[i].index,
                                  questions[i].count, STUB_P(questions[i].properties)};
        stub_make(SPEC_FN_glGetProgramResourceiv, stub_arguments(args), NULL);
        stub_expect_calls(questions[i].told ? "glGetProgramResourceName " : "");
        if (questions[i].told) {
            assert_int_equal(stub_calls[0].args[0].u, 5);
            assert_int_equal(stub_calls[0].args[1].u, UNIFORM);
            assert_int_equal(stub_calls[0].args[2].u, questions[i].index);
            assert_in_range(stub_calls[0].args[3].u, longest_uniform, longest_uniform + 16);
            assert_null(stub_calls[0].args[4].p);
            const char expected[] = {(char)('a' + questions[i].index), 'u', 'u', 'u', 'u', 'u', 'u', 'u', 0};
            assert_string_equal((const char *)stub_calls[0].values, expected);
        }
        if (questions[i].in_begin)
            assert_int_equal(stub.questions, before);
        stub_stop();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uncounted_nul),
        cmocka_unit_test(test_resources),
        cmocka_unit_test(test_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
