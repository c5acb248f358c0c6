/* SPDX-License-Identifier: MIT
 * Tests that pixels are read as they are, into plain rows, whatever the program has set; and that all of it
 * is as before afterwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "objects/pack_state.h"
#include "objects/replay_state.h"
#include "replayer.h"
#include "stub_gl.h"

static struct replayer r;
static struct replay_context context;
static struct pack_state saved;

static const GLenum parameters[] = {
    GL_PACK_ALIGNMENT,    GL_PACK_ROW_LENGTH,           GL_PACK_SKIP_ROWS,  GL_PACK_SKIP_PIXELS,
    GL_PACK_IMAGE_HEIGHT, GL_PACK_SKIP_IMAGES,          GL_PACK_SWAP_BYTES, GL_PACK_LSB_FIRST,
    GL_PACK_INVERT_MESA,  PACK_REVERSE_ROW_ORDER_ANGLE,
};
static const GLenum scales[] = {GL_RED_SCALE, GL_GREEN_SCALE, GL_BLUE_SCALE, GL_ALPHA_SCALE, GL_DEPTH_SCALE};
static const GLenum others[] = {GL_RED_BIAS,  GL_GREEN_BIAS,  GL_BLUE_BIAS,   GL_ALPHA_BIAS,  GL_DEPTH_BIAS,
                                GL_MAP_COLOR, GL_MAP_STENCIL, GL_INDEX_SHIFT, GL_INDEX_OFFSET};
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Scales are hundredths, too. */
static void set_transfers(GLint scale, GLint other)
{
    for (size_t i = 0; i < COUNT(scales); ++i)
        stub_gl.integers[scales[i]] = scale;
    for (size_t i = 0; i < COUNT(others); ++i)
        stub_gl.integers[others[i]] = other;
}

static void expect_transfers(GLint scale, GLint other)
{
    for (size_t i = 0; i < COUNT(scales); ++i)
        assert_int_equal(stub_gl.integers[scales[i]], scale);
    for (size_t i = 0; i < COUNT(others); ++i)
        assert_int_equal(stub_gl.integers[others[i]], other);
}

/* A context of this version is current. What it scales is as in a new one. */
static void reset(bool is_es, int version)
{
    stub_gl_reset("4.6");
    stub_gl.has_transfers = true;
    set_transfers(100, 0);
    memset(&r, 0, sizeof r);
    context = (struct replay_context){.is_es = is_es, .version = version};
    r.current = &context;
    r.ws = &stub_windows;
    gl_functions_load(&r.gl, &stub_windows);
    stub_gl.log[0] = '\0';
}

static void test_parameters(void **state)
{
    (void)state;
    reset(false, 46);
    for (GLint i = 0; i < (GLint)COUNT(parameters); ++i)
        stub_gl.integers[parameters[i]] = 40 + i;
    pack_state_reset(&r, &saved);
    for (size_t i = 0; i < COUNT(parameters); ++i)
        assert_int_equal(stub_gl.integers[parameters[i]], i == 0 ? 1 : 0);
    pack_state_restore(&r, &saved);
    for (GLint i = 0; i < (GLint)COUNT(parameters); ++i)
        assert_int_equal(stub_gl.integers[parameters[i]], 40 + i);
}

/* What is as it must be is not touched. */
static void test_nothing_to_do(void **state)
{
    (void)state;
    reset(false, 20);
    stub_gl.integers[GL_PACK_ALIGNMENT] = 1;
    pack_state_reset(&r, &saved);
    pack_state_restore(&r, &saved);
    assert_string_equal(stub_gl.log, "");
}

static void test_transfers(void **state)
{
    (void)state;
    reset(false, 46);
    set_transfers(300, 700);
    pack_state_reset(&r, &saved);
    expect_transfers(100, 0);
    pack_state_restore(&r, &saved);
    expect_transfers(300, 700);
}

/* Other contexts have none. */
static void test_contexts_without_transfers(void **state)
{
    (void)state;
    for (int es = 0; es < 2; ++es) {
        reset(es != 0, es ? 32 : 46);
        context.config.profile = es ? PROFILE_ANY : PROFILE_CORE;
        set_transfers(300, 700);
        pack_state_reset(&r, &saved);
        expect_transfers(300, 700);
        pack_state_restore(&r, &saved);
        stub_gl_expect_no_line("glPixelTransferf");
    }
    reset(false, 46);
    stub_gl.has_transfers = false;
    gl_functions_load(&r.gl, &stub_windows);
    set_transfers(300, 700);
    pack_state_reset(&r, &saved);
    expect_transfers(300, 700);
    reset(false, 46); /* they cannot be put back if they are not known */
    stub_gl.timers.lacks = "glGetFloatv";
    gl_functions_load(&r.gl, &stub_windows);
    set_transfers(300, 700);
    pack_state_reset(&r, &saved);
    expect_transfers(300, 700);
    stub_gl_expect_no_line("glPixelTransferf");
}

/* What sets them would become part of the list. */
static void test_transfers_in_a_list(void **state)
{
    (void)state;
    for (int executes = 0; executes < 2; ++executes) {
        reset(false, 46);
        context.list_mode = executes ? GL_COMPILE_AND_EXECUTE : GL_COMPILE;
        set_transfers(300, 700);
        pack_state_reset(&r, &saved);
        pack_state_restore(&r, &saved);
        expect_transfers(300, 700);
        stub_gl_expect_no_line("glPixelTransferf");
    }
}

static void test_buffers(void **state)
{
    (void)state;
    static const struct {
        bool is_es;
        int version;
        bool has_buffers;
    } cases[] = {{false, 20, false}, {false, 21, true}, {true, 21, false}, {true, 30, true}};
    for (size_t i = 0; i < COUNT(cases); ++i) {
        reset(cases[i].is_es, cases[i].version);
        stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING] = 9;
        pack_state_reset(&r, &saved);
        assert_int_equal(stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING], cases[i].has_buffers ? 0 : 9);
        pack_state_restore(&r, &saved);
        assert_int_equal(stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING], 9);
    }
    reset(false, 46); /* it cannot bind others */
    stub_gl.timers.lacks = "glBindBuffer";
    gl_functions_load(&r.gl, &stub_windows);
    stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING] = 9;
    assert_true(pack_state_reset(&r, &saved));
    pack_state_restore(&r, &saved);
    assert_int_equal(stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING], 9);
    reset(false, 14); /* it has them by an extension, which the program uses */
    stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING] = 9;
    replay_state_bind_buffer(&context, GL_PIXEL_PACK_BUFFER, true);
    pack_state_reset(&r, &saved);
    assert_int_equal(stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING], 0);
    pack_state_restore(&r, &saved);
    assert_int_equal(stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING], 9);
}

/* One that another context has deleted could not be bound again. */
static void test_deleted_buffer(void **state)
{
    (void)state;
    reset(false, 46);
    stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING] = 9;
    stub_gl.integers[GL_PACK_ALIGNMENT] = 4;
    assert_true(pack_state_reset(&r, &saved));
    pack_state_restore(&r, &saved);
    stub_gl.log[0] = '\0';
    stub_gl.gone = 9;
    assert_false(pack_state_reset(&r, &saved));
    assert_string_equal(stub_gl.log, "");
}

/* They are not the program's. */
static void test_errors(void **state)
{
    (void)state;
    reset(false, 46);
    set_transfers(300, 700);
    stub_gl.unknown_pname = GL_MAP_COLOR;
    stub_gl.error = GL_INVALID_VALUE;
    pack_state_reset(&r, &saved);
    assert_int_equal(stub_gl.error, GL_NO_ERROR);
    pack_state_restore(&r, &saved);
    assert_int_equal(stub_gl.error, GL_NO_ERROR);
    assert_int_equal(context.error, GL_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters), cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_transfers),  cmocka_unit_test(test_contexts_without_transfers),
        cmocka_unit_test(test_buffers),    cmocka_unit_test(test_deleted_buffer),
        cmocka_unit_test(test_errors),     cmocka_unit_test(test_transfers_in_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
