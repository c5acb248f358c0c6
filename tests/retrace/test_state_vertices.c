/* SPDX-License-Identifier: MIT
 * Tests what a state dump says of vertices: of components of all types, and of as many vertices as the buffer
 * has. The driver has one program with one or two attributes, whose arrays are in one buffer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "replayer.h"
#include "state/state_vertices.h"
#include "state_driver.h"

/* --- the driver ----------------------------------------------------------------------------------------- */

static struct {
    GLint attributes;
    GLint size, type, stride, normalised, integer, enabled, buffer;
    uintptr_t offset;
    const void *bytes;
    GLint byte_count;
    GLint bound;    /* GL_COPY_READ_BUFFER */
    GLenum refuses; /* this question about arrays is an error */
    GLenum error;
} driver;

static GLenum get_error(void)
{
    GLenum error = driver.error;
    driver.error = GL_NO_ERROR;
    return error;
}

static void get_integers(GLenum pname, GLint *value)
{
    *value = pname == GL_CURRENT_PROGRAM ? 3 : pname == GL_COPY_READ_BUFFER_BINDING ? driver.bound : 0;
}

static void get_program(GLuint program, GLenum pname, GLint *value)
{
    assert_int_equal(program, 3);
    assert_int_equal(pname, GL_ACTIVE_ATTRIBUTES);
    *value = driver.attributes;
}

/* The second attribute is a byte at the beginning of the buffer. */
static void get_attribute(GLuint program, GLuint index, GLsizei room, GLsizei *length, GLint *size,
                          GLenum *type, GLchar *name)
{
    (void)program, (void)length;
    *size = 1;
    *type = GL_FLOAT;
    snprintf(name, (size_t)room, "%s", index == 0 ? "first" : "second");
}

static GLint get_location(GLuint program, const GLchar *name)
{
    (void)program;
    return strcmp(name, "first") == 0 ? 0 : 1;
}

static void get_array(GLuint index, GLenum pname, GLint *value)
{
    if (pname == driver.refuses) {
        driver.error = GL_INVALID_ENUM;
        return;
    }
    switch (pname) {
    case GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING:
        *value = driver.buffer;
        break;
    case GL_VERTEX_ATTRIB_ARRAY_ENABLED:
        *value = driver.enabled;
        break;
    case GL_VERTEX_ATTRIB_ARRAY_SIZE:
        *value = index == 0 ? driver.size : 1;
        break;
    case GL_VERTEX_ATTRIB_ARRAY_TYPE:
        *value = index == 0 ? driver.type : GL_UNSIGNED_BYTE;
        break;
    case GL_VERTEX_ATTRIB_ARRAY_NORMALIZED:
        *value = index == 0 ? driver.normalised : 0;
        break;
    case GL_VERTEX_ATTRIB_ARRAY_INTEGER:
        *value = index == 0 ? driver.integer : 0;
        break;
    case GL_VERTEX_ATTRIB_ARRAY_STRIDE:
        *value = index == 0 ? driver.stride : 0;
        break;
    default:
        fail();
    }
}

static void get_pointer(GLuint index, GLenum pname, void **pointer)
{
    assert_int_equal(pname, GL_VERTEX_ATTRIB_ARRAY_POINTER);
    *pointer = (void *)(index == 0 ? driver.offset : 0);
}

static void bind_buffer(GLenum target, GLuint buffer)
{
    assert_int_equal(target, GL_COPY_READ_BUFFER);
    driver.bound = (GLint)buffer;
}

static void get_buffer(GLenum target, GLenum pname, GLint *value)
{
    assert_int_equal(target, GL_COPY_READ_BUFFER);
    assert_int_equal(pname, GL_BUFFER_SIZE);
    assert_int_equal(driver.bound, driver.buffer);
    *value = driver.byte_count;
}

static void read_buffer(GLenum target, GLintptr offset, GLsizeiptr size, void *out)
{
    (void)target;
    assert_true(offset >= 0 && offset + size <= driver.byte_count);
    memcpy(out, (const char *)driver.bytes + offset, (size_t)size);
}

/* --- expectations --------------------------------------------------------------------------------------- */

/* Dumps the vertices. expected: without the members around them. */
static void expect(const char *expected)
{
    struct replayer r = {.gl = {.glGetError = get_error,
                                .glGetIntegerv = get_integers,
                                .glGetVertexAttribiv = get_array,
                                .glBindBuffer = bind_buffer,
                                .glGetBufferParameteriv = get_buffer}};
    struct replay_context context = {.version = 46};
    struct state_dump d = {.r = &r,
                           .context = &context,
                           .gl = {.glGetProgramiv = get_program,
                                  .glGetActiveAttrib = get_attribute,
                                  .glGetAttribLocation = get_location,
                                  .glGetVertexAttribPointerv = get_pointer,
                                  .glGetBufferSubData = read_buffer}};
    struct buf out = BUF_INIT;
    char whole[1000];
    state_writer_init(&d.w, &out, false);
    state_begin_object(&d.w);
    state_dump_vertices(&d);
    state_end_object(&d.w);
    assert_int_equal(buf_append_byte(&out, '\0'), 0);
    if (expected != NULL)
        snprintf(whole, sizeof whole, "{\"buffers\":{\"vertices\":[%s]}}", expected);
    else
        snprintf(whole, sizeof whole, "{\"buffers\":{}}");
    assert_string_equal((const char *)out.data, whole);
    assert_int_equal(driver.bound, 9); /* as before */
    buf_fini(&out);
}

static void reset(GLint size, GLenum type, const void *bytes, size_t count)
{
    memset(&driver, 0, sizeof driver);
    driver.attributes = driver.enabled = 1;
    driver.buffer = 5;
    driver.bound = 9;
    driver.size = size;
    driver.type = (GLint)type;
    driver.bytes = bytes;
    driver.byte_count = (GLint)count;
}

#define RESET(size, type, bytes) reset(size, type, bytes, sizeof bytes)

static void test_types(void **state)
{
    (void)state;
    static const int8_t i8[] = {-128, 127};
    static const uint8_t u8[] = {0, 255};
    static const int16_t i16[] = {-32768, 32767};
    static const uint16_t u16[] = {0, 65535};
    static const int32_t i32[] = {-5, INT32_MAX};
    static const uint32_t u32[] = {0, UINT32_MAX};
    static const int32_t fixed[] = {-0x18000, 0x4000};
    static const float f32[] = {0.1F, -2};
    static const double f64[] = {0.1, -2};
    RESET(2, GL_BYTE, i8), expect("{\"first\":[-128,127]}");
    RESET(2, GL_UNSIGNED_BYTE, u8), expect("{\"first\":[0,255]}");
    RESET(2, GL_SHORT, i16), expect("{\"first\":[-32768,32767]}");
    RESET(2, GL_UNSIGNED_SHORT, u16), expect("{\"first\":[0,65535]}");
    RESET(2, GL_INT, i32), expect("{\"first\":[-5,2147483647]}");
    RESET(2, GL_UNSIGNED_INT, u32), expect("{\"first\":[0,4294967295]}");
    RESET(2, GL_FIXED, fixed), expect("{\"first\":[-1.5,0.25]}");
    RESET(2, GL_FLOAT, f32), expect("{\"first\":[0.1,-2]}");
    RESET(2, GL_DOUBLE, f64), expect("{\"first\":[0.1,-2]}");
    RESET(1, GL_FLOAT, f32), expect("{\"first\":0.1},{\"first\":-2}");
    RESET(1, GL_INT_2_10_10_10_REV, u32), expect(NULL); /* packed */
}

static void test_half_floats(void **state)
{
    (void)state;
    static const uint16_t halves[] = {0x3c00, 0xc000, 0x7bff, 0x0400, 0x0001, 0x83ff, 0x0000, 0x3555};
    RESET(4, GL_HALF_FLOAT, halves);
    expect("{\"first\":[1,-2,65504,6.1035156e-05]},"
           "{\"first\":[5.9604645e-08,-6.097555e-05,0,0.33325195]}");
    static const uint16_t special[] = {0x7c00, 0xfc00, 0x7e00};
    RESET(3, GL_HALF_FLOAT, special);
    expect("{\"first\":[\"Infinity\",\"-Infinity\",\"NaN\"]}");
}

/* Normalised integers are shares of the largest one, unless the attribute is an integer. */
static void test_normalised(void **state)
{
    (void)state;
    static const uint8_t u8[] = {0, 51, 255};
    static const int16_t i16[] = {-32767, 32767};
    RESET(3, GL_UNSIGNED_BYTE, u8);
    driver.normalised = 1;
    expect("{\"first\":[0,0.2,1]}");
    driver.integer = 1;
    expect("{\"first\":[0,51,255]}");
    RESET(2, GL_SHORT, i16);
    driver.normalised = 1;
    expect("{\"first\":[-1,1]}");
}

/* As many vertices as there are, also if the last one ends before its stride. */
static void test_numbers_of_vertices(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const struct {
        GLint stride, count;
        uintptr_t offset;
        const char *expected;
    } cases[] = {
        {0, 8, 0, "{\"first\":[1,2]},{\"first\":[3,4]},{\"first\":[5,6]},{\"first\":[7,8]}"},
        {3, 8, 0, "{\"first\":[1,2]},{\"first\":[4,5]},{\"first\":[7,8]}"},
        {3, 7, 0, "{\"first\":[1,2]},{\"first\":[4,5]}"},
        {4, 8, 3, "{\"first\":[4,5]}"},
        {4, 8, 2, "{\"first\":[3,4]},{\"first\":[7,8]}"},
        {8, 8, 6, "{\"first\":[7,8]}"},
        {8, 8, 7, NULL},
        {8, 8, 8, NULL},
        {-1, 8, 0, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reset(2, GL_UNSIGNED_BYTE, bytes, (size_t)cases[i].count);
        driver.stride = cases[i].stride;
        driver.offset = cases[i].offset;
        expect(cases[i].expected);
    }
    RESET(5, GL_UNSIGNED_BYTE, bytes), expect(NULL);
    RESET(0, GL_UNSIGNED_BYTE, bytes), expect(NULL);
    RESET(2, GL_UNSIGNED_BYTE, bytes);
    driver.enabled = 0;
    expect(NULL);
    driver.enabled = 1;
    driver.buffer = 0; /* the program's memory */
    expect(NULL);
}

/* The array with the fewest vertices counts. */
static void test_several_attributes(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6};
    RESET(4, GL_UNSIGNED_BYTE, bytes);
    driver.attributes = 2;
    expect("{\"first\":[1,2,3,4],\"second\":1}");
    RESET(1, GL_UNSIGNED_BYTE, bytes);
    driver.attributes = 2;
    driver.offset = 4;
    expect("{\"first\":5,\"second\":1},{\"first\":6,\"second\":2}");
}

/* There is room for 64 attributes, whatever the driver says. */
static void test_most_attributes(void **state)
{
    enum { MOST = 64 };
    static const uint8_t bytes[] = {1};
    char expected[900] = "{\"first\":1";
    (void)state;
    for (int i = 1; i < MOST; ++i)
        strcat(expected, ",\"second\":1");
    strcat(expected, "}");
    RESET(1, GL_UNSIGNED_BYTE, bytes);
    driver.attributes = MOST + 10;
    expect(expected);
}

/* The answer is 0 then. Old drivers have no integer attributes. */
static void test_refused_questions(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0, 51, 255};
    static const struct {
        GLenum question;
        const char *expected;
    } cases[] = {
        {GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, NULL},
        {GL_VERTEX_ATTRIB_ARRAY_ENABLED, NULL},
        {GL_VERTEX_ATTRIB_ARRAY_SIZE, NULL},
        {GL_VERTEX_ATTRIB_ARRAY_TYPE, NULL},
        {GL_VERTEX_ATTRIB_ARRAY_NORMALIZED, "{\"first\":[0,51,255]}"},
        {GL_VERTEX_ATTRIB_ARRAY_INTEGER, "{\"first\":[0,0.2,1]}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        RESET(3, GL_UNSIGNED_BYTE, bytes);
        driver.normalised = 1;
        driver.refuses = cases[i].question;
        expect(cases[i].expected);
    }
}

/* --- what the driver has -------------------------------------------------------------------------------- */

#define ANSWER(function, object, pname, value)                                                               \
    {                                                                                                        \
        function, object, 0, pname, {value}, NULL                                                            \
    }
#define NAMED(function, program, index, name, ...)                                                           \
    {                                                                                                        \
        function, program, index, 0, {__VA_ARGS__}, name                                                     \
    }
#define ARRAY(index, buffer, size, type, normalised, stride, pointer)                                        \
    ANSWER("glGetVertexAttribiv", index, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, buffer),                     \
        ANSWER("glGetVertexAttribiv", index, GL_VERTEX_ATTRIB_ARRAY_ENABLED, 1),                             \
        ANSWER("glGetVertexAttribiv", index, GL_VERTEX_ATTRIB_ARRAY_SIZE, size),                             \
        ANSWER("glGetVertexAttribiv", index, GL_VERTEX_ATTRIB_ARRAY_TYPE, type),                             \
        ANSWER("glGetVertexAttribiv", index, GL_VERTEX_ATTRIB_ARRAY_NORMALIZED, normalised),                 \
        ANSWER("glGetVertexAttribiv", index, GL_VERTEX_ATTRIB_ARRAY_INTEGER, 0),                             \
        ANSWER("glGetVertexAttribiv", index, GL_VERTEX_ATTRIB_ARRAY_STRIDE, stride),                         \
        ANSWER("glGetVertexAttribPointerv", index, GL_VERTEX_ATTRIB_ARRAY_POINTER, pointer)
#define ATTRIBUTES                                                                                           \
    ANSWER("glGetIntegerv", 0, GL_COPY_READ_BUFFER_BINDING, 5),                                              \
        ANSWER("glGetProgramiv", 3, GL_ACTIVE_ATTRIBUTES, 4),                                                \
        NAMED("glGetActiveAttrib", 3, 0, "place", 1, GL_FLOAT_VEC2),                                         \
        NAMED("glGetAttribLocation", 3, 0, "place", 2), ARRAY(2, 9, 2, GL_FLOAT, 0, 12, 0),                  \
        NAMED("glGetActiveAttrib", 3, 1, "gl_VertexID", 1, GL_INT), /* has no location */                    \
        NAMED("glGetActiveAttrib", 3, 2, "colour", 1, GL_FLOAT_VEC4),                                        \
        NAMED("glGetAttribLocation", 3, 2, "colour", 0), ARRAY(0, 9, 4, GL_UNSIGNED_BYTE, 1, 12, 8),         \
        NAMED("glGetActiveAttrib", 3, 3, "memory", 1, GL_FLOAT_VEC4),                                        \
        NAMED("glGetAttribLocation", 3, 3, "memory", 1), ARRAY(1, 0, 4, GL_FLOAT, 0, 0, 0),                  \
        NAMED("glGetActiveAttrib", 3, 4, "beyond", 1, GL_FLOAT),                                             \
        NAMED("glGetAttribLocation", 3, 4, "beyond", 3), ARRAY(3, 9, 1, GL_FLOAT, 0, 12, 0),                 \
        ANSWER("glGetBufferParameteriv", 9, GL_BUFFER_SIZE, 24)

static const struct state_answer of_program[] = {
    ANSWER("glGetIntegerv", 0, GL_CURRENT_PROGRAM, 3), ATTRIBUTES, {NULL, 0, 0, 0, {0}, NULL}};
static const struct state_answer of_pipeline[] = {ANSWER("glGetIntegerv", 0, GL_CURRENT_PROGRAM, 0),
                                                  ANSWER("glGetIntegerv", 0, GL_PROGRAM_PIPELINE_BINDING, 4),
                                                  ANSWER("glGetProgramPipelineiv", 4, GL_VERTEX_SHADER, 3),
                                                  ATTRIBUTES,
                                                  {NULL, 0, 0, 0, {0}, NULL}};

static const struct {
    GLfloat place[2];
    GLubyte colour[4];
} vertices[] = {{{1, 2}, {0, 51, 255, 0}}, {{3, 4}, {255, 0, 0, 51}}};

static void expect_of(const struct state_answer *answers, const char *json, const char *log)
{
    state_driver.bytes = (const uint8_t *)vertices;
    state_driver.answers = answers;
    state_driver.log[0] = '\0';
    state_driver_expect(state_dump_vertices, json, log);
}

/* Of the attributes with a location, those whose arrays are in buffers. */
static void test_attributes(void **state)
{
    static const char *const functions[] = {"glGetActiveAttrib", "glGetAttribLocation", "glGetVertexAttribiv",
                                            "glGetVertexAttribPointerv"};
    static const char all[] = "{\"buffers\":{\"vertices\":[{\"place\":[1,2],\"colour\":[0,0.2,1,0]},"
                              "{\"place\":[3,4],\"colour\":[1,0,0,0.2]}]}}";
    (void)state;
    state_driver_reset(of_program);
#define READ(offset, size)                                                                                   \
    "glBindBuffer(0x8f36, 9)\nglBindBuffer(0x8f36, 5)\nglBindBuffer(0x8f36, 9)\nglBindBuffer(0x8f36, 5)\n"   \
    "glBindBuffer(0x8f36, 9)\nglGetBufferSubData(0x8f36, " offset ", " size ")\nglBindBuffer(0x8f36, 5)\n"
    expect_of(of_program, all, READ("0", "24") READ("8", "16"));
    expect_of(of_pipeline, all, READ("0", "24") READ("8", "16"));
#undef READ
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        state_driver.lacks = functions[i];
        expect_of(of_program, "{\"buffers\":{}}", "");
    }
    state_driver_reset(of_program);
    state_driver.is_es = true; /* which has no vertices in its memory that can be read */
    expect_of(of_program, "{\"buffers\":{}}", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_half_floats),
        cmocka_unit_test(test_normalised),
        cmocka_unit_test(test_numbers_of_vertices),
        cmocka_unit_test(test_several_attributes),
        cmocka_unit_test(test_most_attributes),
        cmocka_unit_test(test_refused_questions),
        cmocka_unit_test(test_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
