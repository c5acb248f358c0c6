/* SPDX-License-Identifier: MIT
 * Tests queries with a simulated driver: which function is called with which arguments, and what happens if
 * it does not answer. Expectations come from the OpenGL 4.6 specification: table 7.3 (types of uniforms),
 * sections 7.6 (uniforms), 8.11 (levels), 22.2 (extensions), and section 21.2 of the compatibility profile
 * (maps).
 */
#include "context/gl_driver.h"

#include "lookup/real_functions.h"

#include "cmocka_all.h"
#include "spec_ids.h"

#include <string.h>

/* --- a driver ------------------------------------------------------------------------------------------- */

static uint32_t asked;     /* the function that was queried last */
static uint64_t given[4];  /* … its arguments before the one for the answer */
static int32_t answers[4]; /* the driver's answers */
static unsigned answered;  /* … their number */

static void answer(int32_t *to)
{
    memcpy(to, answers, answered * sizeof *to);
}

static void say(unsigned count, int32_t first, int32_t second)
{
    answered = count;
    answers[0] = first;
    answers[1] = second;
    memset(given, 0, sizeof given);
}

static void get_1(uint32_t a, int32_t *to)
{
    given[0] = a;
    answer(to);
}

static void get_2(uint32_t a, uint32_t b, int32_t *to)
{
    given[0] = a;
    given[1] = b;
    answer(to);
}

static void get_3(uint32_t a, uint32_t b, uint32_t c, int32_t *to)
{
    given[2] = c;
    get_2(a, b, to);
}

static void get_4(uint32_t a, uint32_t b, uint32_t c, uint32_t d, int32_t *to)
{
    given[3] = d;
    get_3(a, b, c, to);
}

static uint8_t is_enabled(uint32_t capability)
{
    given[0] = capability;
    return (uint8_t)answers[0];
}

static void get_pointer(uint32_t pname, void **to)
{
    given[0] = pname;
    if (answered != 0)
        *to = answers;
}

static void get_attribute_pointer(uint32_t index, uint32_t pname, void **to)
{
    given[1] = pname;
    get_pointer(index, to);
}

static const char *extension_string;
static const char *extension_list[4];

static const char *get_string(uint32_t name)
{
    assert_int_equal(name, 0x1F03);
    return extension_string;
}

static const char *get_indexed_string(uint32_t name, uint32_t i)
{
    assert_int_equal(name, 0x1F03);
    assert_in_range(i, 0, (uint64_t)answers[0] - 1);
    return extension_list[i];
}

static struct {
    const char *name;
    int32_t location, size;
    uint32_t type;
} uniforms[4];
static int32_t uniform_count, longest_name;

static void get_program(uint32_t program, uint32_t pname, int32_t *to)
{
    assert_int_equal(program, 9);
    *to = pname == 0x8B86 ? uniform_count : pname == 0x8B87 ? longest_name : -1;
}

static void get_uniform(uint32_t program, uint32_t i, int32_t room, int32_t *length, int32_t *size,
                        uint32_t *type, char *name)
{
    assert_int_equal(program, 9);
    assert_in_range(i, 0, (uint64_t)uniform_count - 1);
    assert_null(length);
    if (uniforms[i].name == NULL)
        return;
    assert_in_range(strlen(uniforms[i].name) + 1, 1, room);
    *size = uniforms[i].size;
    *type = uniforms[i].type;
    strcpy(name, uniforms[i].name);
}

static int32_t get_location(uint32_t program, const char *name)
{
    assert_int_equal(program, 9);
    for (int32_t i = 0; i < uniform_count; ++i)
        if (uniforms[i].name != NULL && strcmp(uniforms[i].name, name) == 0)
            return uniforms[i].location;
    fail_msg("no uniform is called %.9s", name);
    return -1;
}

static bool program_has_uniforms;

_Atomic(capture_function) real_functions_known[SPEC_FUNCTION_COUNT];

capture_function real_function_look_up(uint32_t id)
{
    static const struct {
        uint32_t id;
        capture_function function;
    } functions[] = {{SPEC_FN_glGetIntegerv, (capture_function)get_1},
                     {SPEC_FN_glGetProgramiv, (capture_function)get_2},
                     {SPEC_FN_glGetIntegeri_v, (capture_function)get_2},
                     {SPEC_FN_glGetVertexAttribiv, (capture_function)get_2},
                     {SPEC_FN_glGetBufferParameteriv, (capture_function)get_2},
                     {SPEC_FN_glGetMapiv, (capture_function)get_2},
                     {SPEC_FN_glGetColorTableParameteriv, (capture_function)get_2},
                     {SPEC_FN_glGetConvolutionParameteriv, (capture_function)get_2},
                     {SPEC_FN_glGetHistogramParameteriv, (capture_function)get_2},
                     {SPEC_FN_glGetProgramivARB, (capture_function)get_2},
                     {SPEC_FN_glGetProgramivNV, (capture_function)get_2},
                     {SPEC_FN_glGetPathParameterivNV, (capture_function)get_2},
                     {SPEC_FN_glGetTexLevelParameteriv, (capture_function)get_3},
                     {SPEC_FN_glGetNamedProgramivEXT, (capture_function)get_3},
                     {SPEC_FN_glGetTextureLevelParameterivEXT, (capture_function)get_4},
                     {SPEC_FN_glGetMultiTexLevelParameterivEXT, (capture_function)get_4},
                     {SPEC_FN_glIsEnabled, (capture_function)is_enabled},
                     {SPEC_FN_glGetPointerv, (capture_function)get_pointer},
                     {SPEC_FN_glGetVertexAttribPointerv, (capture_function)get_attribute_pointer},
                     {SPEC_FN_glGetString, (capture_function)get_string},
                     {SPEC_FN_glGetStringi, (capture_function)get_indexed_string},
                     {SPEC_FN_glGetActiveUniform, (capture_function)get_uniform},
                     {SPEC_FN_glGetUniformLocation, (capture_function)get_location}};
    asked = id;
    if (program_has_uniforms && id == SPEC_FN_glGetProgramiv)
        return (capture_function)get_program;
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        if (functions[i].id == id)
            return functions[i].function;
    fail_msg("%s is not to be called", spec_string(spec_functions[id].name));
    return NULL;
}

static void expect_question(uint32_t function, const uint64_t arguments[4])
{
    assert_int_equal(asked, function);
    for (unsigned i = 0; i < 4; ++i)
        assert_int_equal(given[i], arguments[i]);
    memset(given, 0, sizeof given);
}

/* --- answers -------------------------------------------------------------------------------------------- */

/* The driver gives no answer, one number, or several. */
static void test_integers(void **state)
{
    (void)state;
    for (unsigned count = 0; count <= 4; ++count) {
        const int32_t expected = count != 0 ? 77 : 0;
        say(count, 77, 78);
        assert_int_equal(gl_driver_integer(0x0BA2), expected);
        expect_question(SPEC_FN_glGetIntegerv, (const uint64_t[4]){0x0BA2});
        assert_int_equal(gl_driver_indexed_integer(0x8A2A, 3), expected);
        expect_question(SPEC_FN_glGetIntegeri_v, (const uint64_t[4]){0x8A2A, 3});
        assert_int_equal(gl_driver_attribute(3, 0x8626), expected);
        expect_question(SPEC_FN_glGetVertexAttribiv, (const uint64_t[4]){3, 0x8626});
        if (count > 1)
            continue;
        assert_int_equal(gl_driver_program_integer(5, 0x8B82), expected);
        expect_question(SPEC_FN_glGetProgramiv, (const uint64_t[4]){5, 0x8B82});
        assert_int_equal(gl_driver_buffer(0x8892, 0x8764), expected);
        expect_question(SPEC_FN_glGetBufferParameteriv, (const uint64_t[4]){0x8892, 0x8764});
        assert_ptr_equal(gl_driver_pointer(0x808E), count != 0 ? answers : NULL);
        expect_question(SPEC_FN_glGetPointerv, (const uint64_t[4]){0x808E});
        assert_ptr_equal(gl_driver_attribute_pointer(4), count != 0 ? answers : NULL);
        expect_question(SPEC_FN_glGetVertexAttribPointerv, (const uint64_t[4]){4, 0x8645});
    }
    for (int32_t enabled = 0; enabled <= 2; ++enabled) {
        say(1, enabled, 0);
        assert_int_equal(gl_driver_is_enabled(0x8074), enabled != 0);
        expect_question(SPEC_FN_glIsEnabled, (const uint64_t[4]){0x8074});
    }
}

/* The same for lengths: -1 means that there is no answer. */
static void test_integers_for_lengths(void **state)
{
    (void)state;
    for (unsigned count = 0; count <= 1; ++count) {
        const int64_t expected = count != 0 ? 0 : -1;
        say(count, 0, 0);
        assert_int_equal(gl_driver.get_integer(gl_driver.context, 0x86A2), expected);
        expect_question(SPEC_FN_glGetIntegerv, (const uint64_t[4]){0x86A2});
        assert_int_equal(gl_driver.get_integer(gl_driver.context, 0x87FE), 0); /* all binaries are hidden */
        assert_int_equal(gl_driver.get_level(gl_driver.context, 0x0DE1, 2, 0x1000), expected);
        expect_question(SPEC_FN_glGetTexLevelParameteriv, (const uint64_t[4]){0x0DE1, 2, 0x1000});
        assert_int_equal(gl_driver.get_named_level(gl_driver.context, false, 6, 0x0DE1, 2, 0x1000), expected);
        expect_question(SPEC_FN_glGetTextureLevelParameterivEXT, (const uint64_t[4]){6, 0x0DE1, 2, 0x1000});
        assert_int_equal(gl_driver.get_named_level(gl_driver.context, true, 0x84C1, 0x0DE1, 2, 0x1000),
                         expected);
        expect_question(SPEC_FN_glGetMultiTexLevelParameterivEXT,
                        (const uint64_t[4]){0x84C1, 0x0DE1, 2, 0x1000});
        assert_int_equal(gl_driver.get_named_program(gl_driver.context, 8, 0x8620, 0x8627), expected);
        expect_question(SPEC_FN_glGetNamedProgramivEXT, (const uint64_t[4]){8, 0x8620, 0x8627});
    }
}

static void test_parameters(void **state)
{
    (void)state;
    static const struct {
        enum spec_query query;
        uint16_t function;
    } queries[] = {{SPEC_QUERY_MAP, SPEC_FN_glGetMapiv},
                   {SPEC_QUERY_COLOR_TABLE, SPEC_FN_glGetColorTableParameteriv},
                   {SPEC_QUERY_CONVOLUTION, SPEC_FN_glGetConvolutionParameteriv},
                   {SPEC_QUERY_HISTOGRAM, SPEC_FN_glGetHistogramParameteriv},
                   {SPEC_QUERY_PROGRAM_ARB, SPEC_FN_glGetProgramivARB},
                   {SPEC_QUERY_PROGRAM_NV, SPEC_FN_glGetProgramivNV},
                   {SPEC_QUERY_PATH, SPEC_FN_glGetPathParameterivNV}};
    for (unsigned i = 0; i < sizeof queries / sizeof queries[0]; ++i) {
        say(0, 0, 0);
        assert_int_equal(gl_driver.get_parameter(gl_driver.context, queries[i].query, 0x0D90, 0x0A01), -1);
        expect_question(queries[i].function, (const uint64_t[4]){0x0D90, 0x0A01});
        say(1, 7, 0);
        assert_int_equal(gl_driver.get_parameter(gl_driver.context, queries[i].query, 0x0D90, 0x0A01), 7);
        say(2, 3, 5); /* the orders of a two-dimensional map, whose product is the number of points */
        assert_int_equal(gl_driver.get_parameter(gl_driver.context, queries[i].query, 0x0DB0, 0x0A01),
                         queries[i].query == SPEC_QUERY_MAP ? 15 : 3);
        say(2, 100000, 100000);
        assert_int_equal(gl_driver.get_parameter(gl_driver.context, queries[i].query, 0x0DB0, 0x0A01),
                         queries[i].query == SPEC_QUERY_MAP ? 10000000000 : 100000);
        say(2, 0, 5);
        assert_int_equal(gl_driver.get_parameter(gl_driver.context, queries[i].query, 0x0DB0, 0x0A01), 0);
        say(2, 5, 0);
        assert_int_equal(gl_driver.get_parameter(gl_driver.context, queries[i].query, 0x0DB0, 0x0A01),
                         queries[i].query == SPEC_QUERY_MAP ? 0 : 5);
    }
}

static void test_extensions(void **state)
{
    (void)state;
    static const struct {
        const char *string;
        bool has;
    } strings[] = {{NULL, false},         {"", false},          {"GL_A", true},   {"GL_A GL_B", true},
                   {"GL_B GL_A", true},   {"GL_AB GL_A", true}, {"GL_AB", false}, {"XGL_A", false},
                   {"GL_B GL_AB", false}, {"GL_B GL_A ", true}, {" GL_A ", true}, {"GL_", false},
                   {"GL_AGL_A", false},   {"GL_B\tGL_A", false}};
    for (unsigned i = 0; i < sizeof strings / sizeof strings[0]; ++i) {
        extension_string = strings[i].string;
        assert_int_equal(gl_driver_has_extension(29, "GL_A"), strings[i].has);
        assert_int_equal(asked, SPEC_FN_glGetString);
    }
    extension_list[0] = "GL_AB";
    extension_list[1] = NULL;
    extension_list[2] = "GL_A";
    for (int32_t count = 0; count <= 3; ++count) {
        say(1, count, 0);
        assert_int_equal(gl_driver_has_extension(30, "GL_A"), count == 3);
        assert_int_equal(asked, SPEC_FN_glGetStringi);
        assert_int_equal(given[0], 0x821D);
    }
}

/* --- uniforms ------------------------------------------------------------------------------------------- */

static int64_t size_at(int32_t location)
{
    return gl_driver.get_uniform_size(gl_driver.context, 9, location);
}

static void set_uniform(unsigned i, const char *name, int32_t location, int32_t size, uint32_t type)
{
    uniforms[i].name = name;
    uniforms[i].location = location;
    uniforms[i].size = size;
    uniforms[i].type = type;
}

static void test_uniform_types(void **state)
{
    (void)state;
    static const struct {
        uint32_t type;
        int64_t components;
    } types[] = {
        {0x1404, 1},  {0x1405, 1}, {0x1406, 1},  {0x140A, 1}, /* int, unsigned, float, double */
        {0x8B50, 2},  {0x8B51, 3}, {0x8B52, 4},               /* vec */
        {0x8B53, 2},  {0x8B54, 3}, {0x8B55, 4},               /* ivec */
        {0x8B56, 1},  {0x8B57, 2}, {0x8B58, 3},  {0x8B59, 4}, /* bool, bvec */
        {0x8B5A, 4},  {0x8B5B, 9}, {0x8B5C, 16},              /* mat2, mat3, mat4 */
        {0x8B5D, 1},  {0x8B5E, 1}, {0x8B64, 1},               /* samplers */
        {0x8B65, 6},  {0x8B66, 8}, {0x8B67, 6},               /* mat2x3, 2x4, 3x2 */
        {0x8B68, 12}, {0x8B69, 8}, {0x8B6A, 12},              /* mat3x4, 4x2, 4x3 */
        {0x8DC5, 1},  {0x8DC9, 1},                            /* samplers */
        {0x8DC6, 2},  {0x8DC7, 3}, {0x8DC8, 4},               /* uvec */
        {0x8F46, 4},  {0x8F47, 9}, {0x8F48, 16},              /* dmat2, dmat3, dmat4 */
        {0x8F49, 6},  {0x8F4A, 8}, {0x8F4B, 6},               /* dmat2x3, 2x4, 3x2 */
        {0x8F4C, 12}, {0x8F4D, 8}, {0x8F4E, 12},              /* dmat3x4, 4x2, 4x3 */
        {0x8FFC, 2},  {0x8FFD, 3}, {0x8FFE, 4},               /* dvec */
        {0x904C, 1},  {0x92DB, 1},                            /* images, atomic counters */
    };
    program_has_uniforms = true;
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; ++i) {
        uniform_count = 1;
        longest_name = 2;
        set_uniform(0, "u", 0, 1, types[i].type);
        assert_int_equal(size_at(0), types[i].components);
    }
    program_has_uniforms = false;
}

/* The elements of an array have its location and those after it. */
static void test_uniform_locations(void **state)
{
    (void)state;
    static const int64_t expected[] = {-1, 4, -1, 3, 3, 3, -1, 2, -1};
    program_has_uniforms = true;
    uniform_count = 4;
    longest_name = 6;
    set_uniform(0, "block", -1, 100, 0x8B50); /* a member of a block has no location */
    set_uniform(1, "a[0]", 3, 3, 0x8B51);
    set_uniform(2, "b", 1, 1, 0x8B52);
    set_uniform(3, "c", 7, 1, 0x8B50);
    for (int32_t i = -1; i < 9; ++i)
        assert_int_equal(size_at(i), i < 0 ? -1 : expected[i]);
    longest_name = 5; /* some drivers do not count the NUL */
    assert_int_equal(size_at(7), 2);
    longest_name = 6;
    uniforms[0].name = NULL; /* the driver does not answer, because another thread has deleted the program */
    assert_int_equal(size_at(1), 4);
    uniform_count = 0;
    assert_int_equal(size_at(1), -1);
    uniform_count = -1;
    assert_int_equal(size_at(1), -1);
    program_has_uniforms = false;
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(gl_driver.is_readable(answers, sizeof answers));
    assert_false(gl_driver.is_readable((void *)16, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),      cmocka_unit_test(test_integers_for_lengths),
        cmocka_unit_test(test_parameters),    cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_uniform_types), cmocka_unit_test(test_uniform_locations),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
