/* SPDX-License-Identifier: MIT
 * Tests the parts of state dumps that need no context: the writer, and values of the types of GLSL.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "state/state_parameter_table.h"
#include "state/state_values.h"
#include "state/state_writer.h"

static void write_sample(struct state_writer *w)
{
    state_begin_object(w);
    state_key(w, "a\"b");
    state_begin_array(w);
    state_integer(w, -1);
    state_integer(w, 200);
    state_integer(w, 300);
    state_integer(w, 70000);
    state_integer(w, INT64_C(1) << 40);
    state_float(w, 1.5f);
    state_double(w, 0.1);
    state_bool(w, true);
    state_bool(w, false);
    state_null(w);
    state_end_array(w);
    state_key_format(w, "k%d", 7);
    state_string(w, "text");
    state_key(w, "data");
    state_bytes(w, "\x01\x02\x03", 3);
    state_end_object(w);
}

static void test_json(void **state)
{
    struct buf out = BUF_INIT;
    struct state_writer w;
    (void)state;
    state_writer_init(&w, &out, false);
    write_sample(&w);
    assert_false(state_writer_failed(&w));
    assert_int_equal(buf_append_byte(&out, '\0'), 0);
    assert_string_equal(
        (const char *)out.data,
        "{\"a\\\"b\":[-1,200,300,70000,1099511627776,1.5,0.1,true,false,null],\"k7\":\"text\","
        "\"data\":\"AQID\"}");
    buf_fini(&out);
}

static void test_ubjson(void **state)
{
    static const char expected[] =
        "{i\x03"
        "a\"b[i\xffU\xc8I\x01\x2cl\x00\x01\x11\x70L\x00\x00\x01\x00\x00\x00\x00\x00"
        "d\x3f\xc0\x00\x00"
        "D\x3f\xb9\x99\x99\x99\x99\x99\x9aTFZ]i\x02k7Si\x04texti\x04"
        "data[$U#i\x03\x01\x02\x03}";
    struct buf out = BUF_INIT;
    struct state_writer w;
    (void)state;
    state_writer_init(&w, &out, true);
    write_sample(&w);
    assert_false(state_writer_failed(&w));
    assert_int_equal(out.len, sizeof expected - 1);
    assert_memory_equal(out.data, expected, sizeof expected - 1);
    buf_fini(&out);
}

/* Each number is written in the smallest type that holds it. */
static void test_sizes_of_integers(void **state)
{
    static const struct {
        int64_t value;
        char marker;
        size_t size; /* with the marker */
    } cases[] = {{0, 'i', 2},         {127, 'i', 2},        {-128, 'i', 2},        {128, 'U', 2},
                 {255, 'U', 2},       {-129, 'I', 3},       {256, 'I', 3},         {32767, 'I', 3},
                 {-32768, 'I', 3},    {32768, 'l', 5},      {-32769, 'l', 5},      {INT32_MAX, 'l', 5},
                 {INT32_MIN, 'l', 5}, {2147483648, 'L', 9}, {-2147483649, 'L', 9}, {INT64_MAX, 'L', 9},
                 {INT64_MIN, 'L', 9}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct buf out = BUF_INIT;
        struct state_writer w;
        uint64_t read = 0;
        state_writer_init(&w, &out, true);
        state_integer(&w, cases[i].value);
        assert_int_equal(out.len, cases[i].size);
        assert_int_equal(out.data[0], cases[i].marker);
        for (size_t k = 1; k < out.len; ++k)
            read = read << 8 | out.data[k];
        assert_int_equal(read, (uint64_t)cases[i].value & (UINT64_MAX >> (64 - 8 * (cases[i].size - 1))));
        buf_fini(&out);
    }
}

static void expect_glsl(GLenum type, const void *value, struct state_layout layout, size_t size,
                        const char *expected)
{
    struct state_glsl_type glsl = state_glsl_type(type);
    struct buf out = BUF_INIT;
    struct state_writer w;
    state_writer_init(&w, &out, false);
    state_write_glsl(&w, &glsl, value, &layout);
    assert_int_equal(buf_append_byte(&out, '\0'), 0);
    assert_string_equal((const char *)out.data, expected);
    assert_int_equal(state_glsl_size(&glsl, &layout), size);
    buf_fini(&out);
}

static void test_values(void **state)
{
    static const GLfloat floats[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const GLuint numbers[] = {0, 1, 2, 4000000000u};
    static const GLdouble doubles[] = {0.1, 0.2};
    const struct state_layout plain = {0, false};
    (void)state;
    expect_glsl(GL_FLOAT, floats, plain, 4, "1");
    expect_glsl(GL_FLOAT_VEC3, floats, plain, 12, "[1,2,3]");
    expect_glsl(GL_FLOAT_MAT2x3, floats, plain, 24, "[[1,2,3],[4,5,6]]");
    expect_glsl(GL_FLOAT_MAT3x2, floats, plain, 24, "[[1,2],[3,4],[5,6]]");
    expect_glsl(GL_DOUBLE_VEC2, doubles, plain, 16, "[0.1,0.2]");
    expect_glsl(GL_BOOL_VEC2, numbers, plain, 8, "[false,true]");
    expect_glsl(GL_UNSIGNED_INT, numbers + 3, plain, 4, "4000000000");
    expect_glsl(GL_INT, numbers + 3, plain, 4, "-294967296");
    expect_glsl(GL_SAMPLER_2D, numbers + 2, plain, 4, "2");
    expect_glsl(GL_IMAGE_2D, numbers + 2, plain, 4, "2");
    assert_int_equal(state_glsl_type(GL_TEXTURE_2D).component, GL_NONE);
}

/* Each type has as many columns and rows as its name says. */
static void test_types(void **state)
{
#define VECTORS(name, component)                                                                             \
    {name, component, 1, 1}, {name##_VEC2, component, 1, 2}, {name##_VEC3, component, 1, 3},                 \
    {                                                                                                        \
        name##_VEC4, component, 1, 4                                                                         \
    }
#define MATRICES(name, component)                                                                            \
    {name##_MAT2, component, 2, 2}, {name##_MAT2x3, component, 2, 3}, {name##_MAT2x4, component, 2, 4},      \
        {name##_MAT3x2, component, 3, 2}, {name##_MAT3, component, 3, 3}, {name##_MAT3x4, component, 3, 4},  \
        {name##_MAT4x2, component, 4, 2}, {name##_MAT4x3, component, 4, 3},                                  \
    {                                                                                                        \
        name##_MAT4, component, 4, 4                                                                         \
    }
#define OPAQUE(name)                                                                                         \
    {                                                                                                        \
        name, GL_INT, 1, 1                                                                                   \
    }
    static const struct {
        GLenum type, component;
        unsigned columns, rows;
    } types[] = {
        VECTORS(GL_FLOAT, GL_FLOAT),
        VECTORS(GL_DOUBLE, GL_DOUBLE),
        VECTORS(GL_INT, GL_INT),
        VECTORS(GL_UNSIGNED_INT, GL_UNSIGNED_INT),
        VECTORS(GL_BOOL, GL_BOOL),
        MATRICES(GL_FLOAT, GL_FLOAT),
        MATRICES(GL_DOUBLE, GL_DOUBLE),
        OPAQUE(GL_SAMPLER_1D),
        OPAQUE(GL_SAMPLER_CUBE),
        OPAQUE(GL_SAMPLER_2D_RECT_SHADOW),
        OPAQUE(GL_SAMPLER_1D_ARRAY),
        OPAQUE(GL_SAMPLER_CUBE_SHADOW),
        OPAQUE(GL_INT_SAMPLER_1D),
        OPAQUE(GL_UNSIGNED_INT_SAMPLER_BUFFER),
        OPAQUE(GL_SAMPLER_CUBE_MAP_ARRAY),
        OPAQUE(GL_UNSIGNED_INT_SAMPLER_CUBE_MAP_ARRAY),
        OPAQUE(GL_IMAGE_1D),
        OPAQUE(GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY),
        OPAQUE(GL_SAMPLER_2D_MULTISAMPLE),
        OPAQUE(GL_UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE_ARRAY),
        {GL_TEXTURE_2D, GL_NONE, 0, 0},
        {GL_RGBA, GL_NONE, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        struct state_glsl_type found = state_glsl_type(types[i].type);
        if (found.component != types[i].component || found.columns != types[i].columns ||
            found.rows != types[i].rows)
            fail_msg("0x%x: 0x%x, %u, %u", types[i].type, found.component, found.columns, found.rows);
    }
}

/* In uniform blocks, columns have a stride, or rows are stored consecutively. */
static void test_layouts(void **state)
{
    static const GLfloat floats[] = {1, 2, 3, 4, 5, 6, 7, 8};
    (void)state;
    expect_glsl(GL_FLOAT_MAT2, floats, (struct state_layout){16, false}, 24, "[[1,2],[5,6]]");
    expect_glsl(GL_FLOAT_MAT2, floats, (struct state_layout){16, true}, 24, "[[1,5],[2,6]]");
    expect_glsl(GL_FLOAT_MAT3x2, floats, (struct state_layout){16, true}, 28, "[[1,5],[2,6],[3,7]]");
    expect_glsl(GL_FLOAT_VEC2, floats, (struct state_layout){16, true}, 8, "[1,2]");
}

/* Within a kind of object, parameters are in the order of their values. */
static void test_parameters(void **state)
{
    (void)state;
    for (int kind = 0; kind < STATE_KIND_COUNT; ++kind) {
        const struct state_parameter_list *list = &state_parameter_lists[kind];
        GLenum before = 0;
        assert_in_range(list->count, 1, 1000);
        for (size_t i = 0; i < list->count; ++i) {
            const struct state_parameter *p = &list->parameters[i];
            if (p->pname < before || strncmp(p->name, "GL_", 3) != 0)
                fail_msg("%d: %s", kind, p->name);
            assert_in_range(p->type, STATE_BOOLEAN, STATE_STRING);
            assert_in_range(p->count, p->counter == 0, STATE_MAX_VALUES);
            before = p->pname;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_ubjson),
        cmocka_unit_test(test_sizes_of_integers),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
