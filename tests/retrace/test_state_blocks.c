/* SPDX-License-Identifier: MIT
 * Tests what a state dump says of the storage blocks of a program. The driver has program 3 with two blocks;
 * the first one has two variables.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "replayer.h"
#include "state/state_uniforms.h"

static GLint current_program;

static GLenum get_error(void)
{
    return GL_NO_ERROR;
}

static void get_integers(GLenum pname, GLint *value)
{
    *value = pname == GL_CURRENT_PROGRAM ? current_program : 0;
}

static void get_program(GLuint program, GLenum pname, GLint *value)
{
    (void)program, (void)pname;
    *value = 0;
}

static void get_interface(GLuint program, GLenum interface, GLenum pname, GLint *value)
{
    assert_int_equal(program, 3);
    assert_int_equal(interface, GL_SHADER_STORAGE_BLOCK);
    assert_int_equal(pname, GL_ACTIVE_RESOURCES);
    *value = 2;
}

static void get_name(GLuint program, GLenum interface, GLuint index, GLsizei room, GLsizei *length,
                     GLchar *name)
{
    assert_int_equal(program, 3);
    assert_null(length);
    snprintf(name, (size_t)room, "%s%u", interface == GL_BUFFER_VARIABLE ? "variable" : "block", index);
}

/* Every property of resource i is 100 × i + the place of its name in this list. */
static GLint property(GLenum interface, GLuint index, GLenum pname)
{
    static const GLenum names[] = {GL_TYPE,           GL_ARRAY_SIZE,           GL_OFFSET,
                                   GL_BLOCK_INDEX,    GL_ARRAY_STRIDE,         GL_MATRIX_STRIDE,
                                   GL_IS_ROW_MAJOR,   GL_TOP_LEVEL_ARRAY_SIZE, GL_TOP_LEVEL_ARRAY_STRIDE,
                                   GL_BUFFER_BINDING, GL_BUFFER_DATA_SIZE};
    if (pname == GL_NUM_ACTIVE_VARIABLES)
        return index == 0 ? 2 : 0;
    if (pname == GL_REFERENCED_BY_COMPUTE_SHADER || pname == GL_REFERENCED_BY_VERTEX_SHADER)
        return index == 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (names[i] == pname)
            return 100 * (GLint)index + (GLint)i;
    assert_int_equal(interface, GL_SHADER_STORAGE_BLOCK);
    return 0; /* other stages */
}

static void get_resource(GLuint program, GLenum interface, GLuint index, GLsizei count, const GLenum *pnames,
                         GLsizei room, GLsizei *length, GLint *values)
{
    assert_int_equal(program, 3);
    assert_int_equal(count, 1);
    if (*pnames == GL_ACTIVE_VARIABLES) {
        assert_true(room >= 2);
        values[0] = 4;
        values[1] = 7;
        *length = 2;
    } else {
        assert_int_equal(room, 1);
        *values = property(interface, index, *pnames);
    }
}

static void expect(const char *expected)
{
    struct replayer r = {.gl = {.glGetError = get_error, .glGetIntegerv = get_integers}};
    struct replay_context context = {.version = 46};
    struct state_dump d = {.r = &r,
                           .context = &context,
                           .gl = {.glGetProgramiv = get_program,
                                  .glGetProgramInterfaceiv = get_interface,
                                  .glGetProgramResourceName = get_name,
                                  .glGetProgramResourceiv = get_resource}};
    struct buf out = BUF_INIT;
    state_writer_init(&d.w, &out, false);
    state_begin_object(&d.w);
    state_dump_storage_blocks(&d);
    state_end_object(&d.w);
    assert_int_equal(buf_append_byte(&out, '\0'), 0);
    assert_string_equal((const char *)out.data, expected);
    buf_fini(&out);
}

#define VARIABLE(number)                                                                                     \
    "\"variable" #number "\":{\"GL_TYPE\":" #number "00,\"GL_ARRAY_SIZE\":" #number                          \
    "01,\"GL_OFFSET\":" #number "02,\"GL_BLOCK_INDEX\":" #number "03,\"GL_ARRAY_STRIDE\":" #number           \
    "04,\"GL_MATRIX_STRIDE\":" #number "05,\"GL_IS_ROW_MAJOR\":" #number                                     \
    "06,\"GL_TOP_LEVEL_ARRAY_SIZE\":" #number "07,\"GL_TOP_LEVEL_ARRAY_STRIDE\":" #number "08}"

static void test_blocks(void **state)
{
    (void)state;
    current_program = 3;
    expect("{\"shaderstoragebufferblocks\":{\"block0\":{\"GL_BUFFER_BINDING\":9,\"GL_BUFFER_DATA_SIZE\":10,"
           "\"GL_REFERENCED_BY_VERTEX_SHADER\":true,\"GL_REFERENCED_BY_COMPUTE_SHADER\":true,"
           "\"activeVariables\":{" VARIABLE(4) "," VARIABLE(
               7) "}},"
                  "\"block1\":{\"GL_BUFFER_BINDING\":109,\"GL_BUFFER_DATA_SIZE\":110}}}");
    current_program = 0;
    expect("{\"shaderstoragebufferblocks\":{}}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
