/* SPDX-License-Identifier: MIT
 * Tests what the replayer knows of the state that lengths depend on: in contexts of all versions, and after
 * calls that change it; and how it asks without hiding the program's errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "objects/inspection.h"
#include "objects/replay_state.h"
#include "replayer.h"
#include "stub_gl.h"

static struct replayer r;
static struct replay_context context;
static struct replay_thread thread;

/* A context of this version is current, and nothing is known of its state. */
static void reset(bool is_es, int version)
{
    stub_gl_reset("4.6");
    memset(&r, 0, sizeof r);
    context = (struct replay_context){
        .is_es = is_es, .version = version, .pixel_store_stale = true, .buffers_stale = true};
    r.current = thread.context = &context;
    r.thread = &thread;
    r.ws = &stub_windows;
    gl_functions_load(&r.gl, &stub_windows);
}

/* Parameters that the version lacks stay at their defaults. OpenGL ES 2 may have all of them by extensions.
 */
static void test_pixel_store(void **state)
{
    (void)state;
    static const struct {
        bool is_es;
        int version;
        bool rows, pack_images;
    } cases[] = {{false, 11, true, true},  {false, 46, true, true}, {true, 10, false, false},
                 {true, 11, false, false}, {true, 20, true, true},  {true, 30, true, false},
                 {true, 31, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reset(cases[i].is_es, cases[i].version);
        for (GLint k = 0; k < 6; ++k) {
            static const GLenum unpack[] = {GL_UNPACK_ALIGNMENT,    GL_UNPACK_ROW_LENGTH,
                                            GL_UNPACK_SKIP_ROWS,    GL_UNPACK_SKIP_PIXELS,
                                            GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_IMAGES};
            static const GLenum pack[] = {GL_PACK_ALIGNMENT,   GL_PACK_ROW_LENGTH,   GL_PACK_SKIP_ROWS,
                                          GL_PACK_SKIP_PIXELS, GL_PACK_IMAGE_HEIGHT, GL_PACK_SKIP_IMAGES};
            stub_gl.integers[unpack[k]] = 10 + k;
            stub_gl.integers[pack[k]] = 20 + k;
        }
        const struct spec_state *s = replay_state_get(&r);
        int rows = cases[i].rows, images = cases[i].pack_images;
        assert_int_equal(s->unpack.alignment, 10);
        assert_int_equal(s->unpack.row_length, rows * 11);
        assert_int_equal(s->unpack.skip_rows, rows * 12);
        assert_int_equal(s->unpack.skip_pixels, rows * 13);
        assert_int_equal(s->unpack.image_height, rows * 14);
        assert_int_equal(s->unpack.skip_images, rows * 15);
        assert_int_equal(s->pack.alignment, 20);
        assert_int_equal(s->pack.row_length, rows * 21);
        assert_int_equal(s->pack.skip_rows, rows * 22);
        assert_int_equal(s->pack.skip_pixels, rows * 23);
        assert_int_equal(s->pack.image_height, (rows & images) * 24);
        assert_int_equal(s->pack.skip_images, (rows & images) * 25);
        stub_gl.integers[GL_UNPACK_ROW_LENGTH] = 99; /* it is not asked again */
        assert_int_equal(replay_state_get(&r)->unpack.row_length, rows * 11);
    }
}

static void test_buffers(void **state)
{
    (void)state;
    static const GLenum bindings[] = {GL_ARRAY_BUFFER_BINDING,         GL_ELEMENT_ARRAY_BUFFER_BINDING,
                                      GL_PIXEL_UNPACK_BUFFER_BINDING,  GL_PIXEL_PACK_BUFFER_BINDING,
                                      GL_DRAW_INDIRECT_BUFFER_BINDING, GL_QUERY_BUFFER_BINDING};
    static const struct {
        bool is_es;
        int version;
        const char *known; /* arrays, elements, unpack, pack, indirect, query */
    } cases[] = {{false, 14, "......"}, {false, 15, "ae...."}, {false, 20, "ae...."}, {false, 21, "aeup.."},
                 {false, 33, "aeup.."}, {false, 40, "aeupi."}, {false, 43, "aeupi."}, {false, 44, "aeupiq"},
                 {true, 10, "......"},  {true, 11, "ae...."},  {true, 20, "ae...."},  {true, 30, "aeup.."},
                 {true, 31, "aeupi."},  {true, 32, "aeupi."}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reset(cases[i].is_es, cases[i].version);
        for (size_t k = 0; k < 6; ++k)
            stub_gl.integers[bindings[k]] = 5;
        const struct spec_state *s = replay_state_get(&r);
        const char known[] = {s->array_buffer ? 'a' : '.',
                              s->element_buffer ? 'e' : '.',
                              s->unpack_buffer ? 'u' : '.',
                              s->pack_buffer ? 'p' : '.',
                              s->indirect_buffer ? 'i' : '.',
                              s->query_buffer ? 'q' : '.',
                              '\0'};
        assert_string_equal(known, cases[i].known);
    }
    reset(false, 46);
    assert_false(replay_state_get(&r)->array_buffer);
    context.element_buffer_stale = true; /* another vertex array object */
    for (size_t k = 0; k < 6; ++k)
        stub_gl.integers[bindings[k]] = 5;
    assert_true(replay_state_get(&r)->element_buffer);
    assert_false(replay_state_get(&r)->array_buffer);
}

/* Between glBegin() and glEnd(), nothing can be asked. */
static void test_inside_begin(void **state)
{
    (void)state;
    reset(false, 46);
    stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING] = 9;
    assert_int_equal(replay_draw_framebuffer(&r), 9);
    context.inside_begin = true;
    assert_int_equal(replay_draw_framebuffer(&r), 0);
    reset(false, 46);
    stub_gl.integers[GL_UNPACK_ROW_LENGTH] = 7;
    context.inside_begin = true;
    assert_int_equal(replay_state_get(&r)->unpack.row_length, 0);
    context.inside_begin = false;
    assert_int_equal(replay_state_get(&r)->unpack.row_length, 7);
}

/* The program gets the first error that it has not asked for, whoever has seen it. */
static void test_errors(void **state)
{
    (void)state;
    reset(false, 46);
    stub_gl.error = GL_INVALID_VALUE;
    stub_gl.integers[GL_READ_BUFFER] = 77;
    assert_int_equal(replay_get_integer(&r, GL_READ_BUFFER, 5), 77);
    stub_gl.error = GL_INVALID_ENUM;
    replay_keep_error(&r);
    assert_int_equal(stub_gl.error, GL_NO_ERROR);
    assert_int_equal(replay_take_error(&r), GL_INVALID_VALUE);
    assert_int_equal(replay_take_error(&r), GL_NO_ERROR);
    stub_gl.error = GL_INVALID_ENUM;
    assert_int_equal(replay_take_error(&r), GL_INVALID_ENUM);
    stub_gl.error = GL_INVALID_ENUM;
    replay_clear_errors(&r);
    assert_int_equal(replay_take_error(&r), GL_NO_ERROR);
}

/* While a picture or a dump is made, errors are not the program's. */
static void test_inspections(void **state)
{
    (void)state;
    struct inspection inspection;
    reset(false, 46);
    stub_gl.error = GL_INVALID_VALUE;
    inspection_begin(&r, &inspection);
    stub_gl.error = GL_INVALID_ENUM;
    replay_get_integer(&r, GL_READ_BUFFER, 5);
    assert_int_equal(stub_gl.error, GL_NO_ERROR);
    stub_gl.error = GL_OUT_OF_MEMORY;
    inspection_end(&r, &inspection);
    assert_int_equal(replay_take_error(&r), GL_INVALID_VALUE);
    reset(false, 46);
    inspection_begin(&r, &inspection);
    stub_gl.error = GL_INVALID_ENUM;
    replay_keep_error(&r);
    inspection_end(&r, &inspection);
    assert_int_equal(replay_take_error(&r), GL_NO_ERROR);
    stub_gl.error = GL_INVALID_ENUM; /* these are again */
    assert_int_equal(replay_take_error(&r), GL_INVALID_ENUM);
}

/* What the driver does not know has the default, and leaves no error. */
static void test_unknown_parameters(void **state)
{
    (void)state;
    reset(false, 46);
    stub_gl.unknown_pname = GL_READ_BUFFER;
    assert_int_equal(replay_get_integer(&r, GL_READ_BUFFER, 5), 5);
    assert_int_equal(replay_take_error(&r), GL_NO_ERROR);
}

/* Of pixel storage, too. */
static void test_unknown_pixel_store(void **state)
{
    (void)state;
    static const GLenum names[] = {GL_UNPACK_ALIGNMENT, GL_PACK_ALIGNMENT, GL_UNPACK_ROW_LENGTH,
                                   GL_PACK_SKIP_ROWS};
    static const GLint defaults[] = {4, 4, 0, 0};
    for (int i = 0; i < 4; ++i) {
        reset(false, 46);
        for (int k = 0; k < 4; ++k)
            stub_gl.integers[names[k]] = 8;
        stub_gl.unknown_pname = names[i];
        const struct spec_state *s = replay_state_get(&r);
        const GLint values[] = {s->unpack.alignment, s->pack.alignment, s->unpack.row_length,
                                s->pack.skip_rows};
        for (int k = 0; k < 4; ++k)
            assert_int_equal(values[k], k == i ? defaults[k] : 8);
    }
}

/* A context that is lost has errors without end. */
static void test_lost_contexts(void **state)
{
    (void)state;
    reset(false, 46);
    stub_gl.is_lost = true;
    assert_int_equal(replay_get_integer(&r, GL_READ_BUFFER, 5), 5);
    assert_int_equal(replay_take_error(&r), GL_CONTEXT_LOST);
    replay_clear_errors(&r);
}

/* --- calls that change it ------------------------------------------------------------------------------- */

#define IMAGE                                                                                                \
    "glTexImage2D target=3553 level=0 internalformat=6408 width=1 height=2 border=0 format=6408 type=5121 "  \
    "pixels="
#define BIND "glGenBuffers n=1 buffers=[1]\nglBindBuffer target=35052 buffer=1\n"

/* Whether pixels are an offset depends on the binding, however it came about. */
static void test_changes(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, BIND "glPushClientAttrib mask=1\n"
                              "glBindBuffer target=35052 buffer=0\n" IMAGE "#abcdefgh\n"
                              "glPopClientAttrib\n" IMAGE "0x40\n");
    stub_gl_expect_line("glTexImage2D(1 x 2, 'abcdefgh' of 8)");
    stub_gl_expect_line("glTexImage2D(1 x 2, offset 64)");
    assert_int_equal(stub_gl.failures, 0);
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, BIND "glDeleteBuffers n=1 buffers=[1]\n" IMAGE "#abcdefgh\n");
    stub_gl_expect_line("glTexImage2D(1 x 2, 'abcdefgh' of 8)");
    assert_int_equal(stub_gl.failures, 0);
    /* rows of more than the blob's bytes */
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, IMAGE "#abcdefgh\nglPixelStorei pname=3314 param=99999999\n" IMAGE "#abcdefgh\n");
    stub_gl_expect_message("5: warning: glTexImage2D: 'pixels' is too long\n");
    assert_int_equal(stub_gl.failures, 1);
}

/* Indirect draws and results of queries are offsets into buffers of their own, or are not. */
static void test_targets(void **state)
{
    (void)state;
#define DRAW   "glDrawArraysIndirect mode=4 indirect=0x40\n"
#define RESULT "glGetQueryObjectuiv id=5 pname=34918 params=0x40\n"
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, DRAW "glGenBuffers n=1 buffers=[1]\n"
                              "glBindBuffer target=36671 buffer=1\n" DRAW
                              "glBindBuffer target=36671 buffer=0\n" DRAW);
    stub_gl_expect("glBindBuffer(0x8f3f, 101)\n"
                   "glDrawArraysIndirect(offset 64)\n"
                   "glBindBuffer(0x8f3f, 0)\n");
    assert_int_equal(stub_gl.failures, 2);
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, RESULT "glGenBuffers n=1 buffers=[1]\n"
                                "glBindBuffer target=37266 buffer=1\n" RESULT
                                "glBindBuffer target=37266 buffer=0\n" RESULT);
    stub_gl_expect("glBindBuffer(0x9192, 101)\n"
                   "glGetQueryObjectuiv(offset 64)\n"
                   "glBindBuffer(0x9192, 0)\n");
}

/* An extension may have a target before the version of OpenGL that has it. */
static void test_targets_of_extensions(void **state)
{
    (void)state;
    stub_gl_reset("3.3");
    stub_gl_replay(NULL, "glGenBuffers n=3 buffers=[1,2,3]\n"
                         "glBindBuffer target=36671 buffer=1\n"
                         "glBindBuffer target=37266 buffer=2\n"
                         "glDeleteBuffers n=1 buffers=[3]\n" DRAW RESULT
                         "glDeleteBuffers n=2 buffers=[1,2]\n" DRAW RESULT);
    stub_gl_expect("glBindBuffer(0x8f3f, 101)\n"
                   "glBindBuffer(0x9192, 102)\n"
                   "glDeleteBuffers(103)\n"
                   "glDrawArraysIndirect(offset 64)\n"
                   "glGetQueryObjectuiv(offset 64)\n"
                   "glDeleteBuffers(101)\n"
                   "glDeleteBuffers(102)\n");
    assert_int_equal(stub_gl.failures, 1);
    stub_gl_reset("1.4");
    stub_gl_replay(NULL, BIND "glGenBuffers n=1 buffers=[2]\n"
                              "glDeleteBuffers n=1 buffers=[2]\n" IMAGE "0x40\n");
    stub_gl_expect_line("glTexImage2D(1 x 2, offset 64)");
    assert_int_equal(stub_gl.failures, 0);
#undef DRAW
#undef RESULT
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixel_store),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_inside_begin),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_inspections),
        cmocka_unit_test(test_unknown_parameters),
        cmocka_unit_test(test_unknown_pixel_store),
        cmocka_unit_test(test_lost_contexts),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_targets_of_extensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
