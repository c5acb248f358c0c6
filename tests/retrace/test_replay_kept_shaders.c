/* SPDX-License-Identifier: MIT
 * Tests which shaders of programs are kept for dumps: those that were linked, with their sources, until the
 * program is linked again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"
#include "windows/window_system.h"

static const struct window_system_ops *stub_ops;
static struct window_system_ops ops;
static struct replay_options dumps;

/* What the driver says. */
static struct {
    GLint linked, length; /* of the source; -1: as it is */
    GLsizei count;        /* of attached shaders, which are 102, 103, … */
    unsigned questions;
} driver;

static void detach(GLuint program, GLuint shader)
{
    stub_gl_log("glDetachShader(%u, %u)", program, shader);
}

static GLuint create(GLenum type)
{
    stub_gl_log("glCreateShader(0x%x)", type);
    return ++stub_gl.last_name;
}

static void get_program(GLuint program, GLenum pname, GLint *value)
{
    (void)program;
    assert_int_equal(pname, GL_LINK_STATUS);
    driver.questions++;
    *value = driver.linked;
}

static const char source[] = "source";

static void get_shader(GLuint shader, GLenum pname, GLint *value)
{
    assert_in_range(shader, 102, 103);
    driver.questions++;
    *value = pname == GL_SHADER_TYPE ? GL_FRAGMENT_SHADER
             : driver.length >= 0    ? driver.length
                                     : (GLint)sizeof source;
    if (pname != GL_SHADER_TYPE)
        assert_int_equal(pname, GL_SHADER_SOURCE_LENGTH);
}

static void get_source(GLuint shader, GLsizei room, GLsizei *length, GLchar *text)
{
    assert_in_range(shader, 102, 103);
    assert_null(length);
    driver.questions++;
    snprintf(text, (size_t)room, "%s", source);
}

static void get_attached(GLuint program, GLsizei room, GLsizei *count, GLuint *shaders)
{
    (void)program;
    driver.questions++;
    for (GLsizei i = 0; i < driver.count && i < room; ++i)
        shaders[i] = 102 + (GLuint)i;
    *count = driver.count;
}

static void *get_proc(struct window_system *ws, const char *name)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {
        {"glCreateShader", (void (*)(void))create},
        {"glDetachShader", (void (*)(void))detach},
        {"glGetAttachedShaders", (void (*)(void))get_attached},
        {"glGetProgramiv", (void (*)(void))get_program},
        {"glGetShaderiv", (void (*)(void))get_shader},
        {"glGetShaderSource", (void (*)(void))get_source},
    };
    if (stub_gl.timers.lacks != NULL && strcmp(name, stub_gl.timers.lacks) == 0)
        return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(functions[i].name, name) == 0)
            return *(void **)(uintptr_t)&functions[i].function;
    return stub_ops->get_proc(ws, name);
}

/* The call after which a dump is wanted does not come. */
static void replay_with_dumps(const char *calls)
{
    stub_gl_replay(&dumps, calls);
    assert_int_not_equal(stub_gl.rc, 0); /* which is an error at the end */
    stub_gl.rc = 0;
}

static int set_up(void **state)
{
    (void)state;
    stub_ops = stub_windows.ops;
    ops = *stub_ops;
    ops.get_proc = get_proc;
    stub_windows.ops = &ops;
    dumps = (struct replay_options){.benchmark = false};
    return trace_call_set_parse(&dumps.dump_calls, "1000000");
}

static int tear_down(void **state)
{
    (void)state;
    trace_call_set_fini(&dumps.dump_calls);
    stub_windows.ops = stub_ops;
    return 0;
}

/* A driver with a linked program, whose shaders are from 102 on. */
static void reset(const char *lacks)
{
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = lacks;
    driver.linked = 1;
    driver.length = -1;
    driver.count = 1;
    driver.questions = 0;
}

#define MAKE                                                                                                 \
    "glCreateProgram = 3\nglCreateShader type=35632 = 4\nglAttachShader program=3 shader=4\n"                \
    "glLinkProgram program=3\n"
#define MADE     "glCreateShader(0x8b30)\nglAttachShader(101, 102)\nglLinkProgram(101)\n"
#define DETACH   "glDetachShader program=3 shader=4\n"
#define DETACHED "glDetachShader(101, 102)\n"
#define KEPT                                                                                                 \
    "glCreateShader(0x8b30)\nglShaderSource(103, 'source' of 6)\nglAttachShader(101, "                       \
    "103)\nglDeleteShader(103)\n"

/* A shader that is detached is replaced by one with its source. */
static void test_detached_shaders(void **state)
{
    static const struct {
        GLint linked, length;
        GLsizei count;
        bool is_kept;
    } cases[] = {
        {1, -1, 1, true},      {1, -1, 64, true},      {0, -1, 1, false},         {1, -1, 0, false},
        {1, 0, 1, false},      {1, -1, -1, false},     {1, -1, 65, false},        {1, INT32_MAX, 1, false},
        {1, 1 << 26, 1, true}, {1, 1 << 27, 1, false}, {1, -1, INT32_MAX, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reset(NULL);
        driver.linked = cases[i].linked;
        driver.length = cases[i].length;
        driver.count = cases[i].count;
        replay_with_dumps(MAKE DETACH);
        stub_gl_expect(cases[i].is_kept ? MADE DETACHED KEPT : MADE DETACHED);
        assert_int_equal(stub_gl.failures, 0);
    }
    reset(NULL); /* the second of two */
    driver.count = 2;
    replay_with_dumps("glCreateProgram = 3\nglCreateShader type=35633 = 4\nglCreateShader type=35632 = 5\n"
                      "glDetachShader program=3 shader=5\n");
    stub_gl_expect("glCreateShader(0x8b31)\nglCreateShader(0x8b30)\nglDetachShader(101, 103)\n"
                   "glCreateShader(0x8b30)\nglShaderSource(104, 'source' of 6)\nglAttachShader(101, 104)\n"
                   "glDeleteShader(104)\n");
    reset(NULL); /* another one */
    replay_with_dumps(MAKE "glDetachShader program=3 shader=77\n");
    stub_gl_expect(MADE "glDetachShader(101, 77)\n");
}

/* Nobody needs them without dumps, and a check compares what the program has. */
static void test_not_needed(void **state)
{
    (void)state;
    reset(NULL);
    stub_gl_replay(NULL, MAKE DETACH);
    stub_gl_expect(MADE DETACHED);
    assert_int_equal(driver.questions, 0);
    reset(NULL);
    dumps.check = true;
    stub_gl_replay_printing(&dumps, MAKE DETACH);
    stub_gl.rc = 0;
    stub_gl_expect(MADE DETACHED);
    assert_int_equal(driver.questions, 0);
}

/* Without a function that this needs, none is kept. */
static void test_drivers_without_functions(void **state)
{
    static const char *const lacks[] = {"glGetShaderiv",        "glGetShaderSource", "glGetProgramiv",
                                        "glGetAttachedShaders", "glShaderSource",    "glDeleteShader"};
    (void)state;
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; ++i) {
        reset(lacks[i]);
        replay_with_dumps(MAKE DETACH);
        stub_gl_expect(MADE DETACHED);
        assert_int_equal(stub_gl.failures, 0);
    }
    static const char *const others[] = {"glCreateShader", "glAttachShader"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        reset(others[i]);
        replay_with_dumps("glCreateShaderProgramv type=35633 count=1 strings=[\"ab\"] = 3\n");
        stub_gl_expect("glCreateShaderProgramv(0x8b31, 1)\n");
        assert_int_equal(stub_gl.failures, 0);
    }
}

/* They go when the program is linked again, or gets a shader. Those of other programs stay, and what the
 * program has attached itself. */
static void test_dropped_shaders(void **state)
{
#define AGAIN "glDetachShader(101, 103)\n"
    static const struct {
        const char *calls, *log, *lacks;
        GLsizei count;
    } cases[] = {
        {"glLinkProgram program=3\n", AGAIN "glLinkProgram(101)\n", NULL, 2},
        {"glLinkProgram program=3\nglLinkProgram program=3\n",
         AGAIN "glLinkProgram(101)\nglLinkProgram(101)\n", NULL, 2},
        {"glAttachShader program=3 shader=4\n", AGAIN "glAttachShader(101, 102)\n", NULL, 2},
        {"glLinkProgram program=3\n", "glLinkProgram(101)\n", NULL, 1},
        {"glCreateProgram = 5\nglLinkProgram program=5\n", "glLinkProgram(104)\n", NULL, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[400], log[400];
        snprintf(calls, sizeof calls, MAKE DETACH "%s", cases[i].calls);
        snprintf(log, sizeof log, MADE DETACHED KEPT "%s", cases[i].log);
        reset(cases[i].lacks);
        driver.count = cases[i].count;
        replay_with_dumps(calls);
        stub_gl_expect(log);
    }
#undef AGAIN
    reset("glDetachShader"); /* which the driver should have */
    replay_with_dumps("glCreateShaderProgramv type=35633 count=1 strings=[\"ab\"] = 3\n"
                      "glLinkProgram program=3\n");
    stub_gl_expect_line("glDeleteShader(102)\nglLinkProgram(101)");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_detached_shaders),
        TEST(test_not_needed),
        TEST(test_drivers_without_functions),
        TEST(test_dropped_shaders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
