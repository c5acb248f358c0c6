/* SPDX-License-Identifier: MIT
 * Tests after which calls a replay dumps the state, and where to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "stub_gl.h"

static char prefix[] = "/tmp/test_replay_dumps.XXXXXX/d";

static int make_directory(void **state)
{
    (void)state;
    prefix[strlen(prefix) - 2] = '\0';
    bool made = mkdtemp(prefix) != NULL;
    prefix[strlen(prefix)] = '/';
    return made ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    prefix[strlen(prefix) - 2] = '\0';
    return rmdir(prefix);
}

/* Reads a dump, and removes it. Returns its length; 0: there is none. */
static size_t take(const char *name, char *out, size_t room)
{
    char path[100];
    snprintf(path, sizeof path, "%s%s", prefix, name);
    FILE *file = fopen(path, "rb");
    size_t n = file != NULL ? fread(out, 1, room - 1, file) : 0;
    out[n] = '\0';
    if (file != NULL)
        fclose(file);
    unlink(path);
    return n;
}

static void replay(const char *set, bool binary, const char *calls)
{
    struct replay_options options = {.dump_prefix = prefix, .dump_binary = binary};
    stub_gl_reset("4.6");
    assert_int_equal(trace_call_set_parse(&options.dump_calls, set), 0);
    stub_gl_replay(&options, calls);
    trace_call_set_fini(&options.dump_calls);
}

/* A line of JSON for each call of the set, named by its number. Calls 0 to 2 create the context. */
static void test_calls(void **state)
{
    static char text[1 << 16];
    (void)state;
    replay("3,5", false, "glFlush\nglFlush\nglFlush\nglFlush\n");
    assert_true(take("0000000003.json", text, sizeof text) > 100);
    assert_memory_equal(text, "{\"parameters\":{", 15);
    assert_string_equal(text + strlen(text) - 3, "}}\n");
    assert_non_null(strstr(text, "},\"shaders\":{},\"uniforms\":{},"));
    assert_non_null(strstr(text, "\"shaderstorageb"));
    assert_non_null(strstr(text, "},\"textures\":{},\"framebuffer\":{"));
    assert_true(take("0000000005.json", text, sizeof text) > 100);
    assert_int_equal(stub_gl.rc, 0);
    assert_int_equal(stub_gl.calls, 6); /* it ends after the last one */
}

static void test_binary(void **state)
{
    static char text[1 << 16];
    (void)state;
    replay("4", true, "glFlush\nglFlush\nglFlush\n");
    size_t size = take("0000000004.ubj", text, sizeof text);
    assert_true(size > 100);
    assert_memory_equal(text, "{i\x0aparameters{", 14);
    assert_int_equal(text[size - 1], '}');
}

/* Between glBegin() and glEnd(), and in lists, it waits; its number stays that of the call. */
static void test_waits(void **state)
{
    static char text[1 << 16];
    (void)state;
    replay("4", false, "glBegin mode=0\nglVertex2f x=1.0 y=2.0\nglEnd\nglFlush\n");
    assert_true(take("0000000004.json", text, sizeof text) > 100);
    assert_int_equal(stub_gl.calls, 6);
    stub_gl_expect_no_line("a question");
    replay("3,5", false,
           "glFlush\nglBegin mode=0\nglVertex2f x=1.0 y=2.0\nglEnd\nglFlush\n"); /* the last one */
    assert_true(take("0000000003.json", text, sizeof text) > 100);
    assert_true(take("0000000005.json", text, sizeof text) > 100);
    replay("4", false, "glNewList list=1 mode=4864\nglFlush\nglFlush\nglEndList\nglFlush\n");
    assert_true(take("0000000004.json", text, sizeof text) > 100);
    assert_int_equal(stub_gl.calls, 7);
    replay("4", false, "glNewList list=1 mode=4864\nglFlush\nglFlush\n");
    assert_int_equal(take("0000000004.json", text, sizeof text), 0);
    assert_int_equal(stub_gl.rc, TRACE_ERR_UNSUPPORTED);
}

/* OpenGL ES has no lists, whatever the driver says. */
static void test_no_lists(void **state)
{
    static char text[1 << 16];
    struct replay_options options = {.dump_prefix = prefix};
    (void)state;
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl.integers[GL_LIST_INDEX] = 1;
    assert_int_equal(trace_call_set_parse(&options.dump_calls, "3"), 0);
    stub_gl_replay(&options, "glFlush\n");
    trace_call_set_fini(&options.dump_calls);
    assert_true(take("0000000003.json", text, sizeof text) > 100);
}

/* A driver may lack what pictures are read with. */
static void test_no_pictures(void **state)
{
    static char text[1 << 16];
    static const char *const functions[] = {"glReadPixels", "glPixelStorei", "glBindTexture"};
    struct replay_options options = {.dump_prefix = prefix};
    (void)state;
    assert_int_equal(trace_call_set_parse(&options.dump_calls, "3"), 0);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        stub_gl_reset("4.6");
        stub_gl.timers.lacks = functions[i];
        stub_gl_replay(&options, "glFlush\n");
        assert_true(take("0000000003.json", text, sizeof text) > 100);
        assert_memory_equal(text, "{\"parameters\":{", 15);
        assert_null(strstr(text, "\"textures\":"));
        assert_null(strstr(text, "\"framebuffer\":{"));
    }
    trace_call_set_fini(&options.dump_calls);
}

/* Whether a framebuffer object is complete, this driver does not tell. */
static void test_framebuffer_objects(void **state)
{
    static char text[1 << 16];
    (void)state;
    replay("4", false,
           "glGenFramebuffers n=1 framebuffers=[2]\nglBindFramebuffer target=36160 framebuffer=2\n");
    assert_true(take("0000000004.json", text, sizeof text) > 100);
    assert_non_null(strstr(text, "\"framebuffer\":{}"));
    assert_string_equal(stub_gl.messages,
                        "4: warning: the framebuffer is incomplete, and cannot be dumped\n");
}

/* If the trace begins after the last call of the set, its first call counts. Otherwise, it is an error if
 * there is no such call. */
static void test_no_such_call(void **state)
{
    static char text[1 << 16];
    (void)state;
    replay("9", false, "glFlush\n");
    assert_int_equal(stub_gl.rc, TRACE_ERR_UNSUPPORTED);
    assert_string_equal(trace_error_message(), "no state was dumped: there is no such call, or no context is "
                                               "current after it");
    assert_int_equal(take("0000000009.json", text, sizeof text), 0);
    replay("0", false, "glFlush\n"); /* no context is current before call 1 */
    assert_int_equal(stub_gl.rc, 0);
    assert_true(take("0000000000.json", text, sizeof text) > 100);
}

static void test_stdout(void **state)
{
    struct replay_options options = {.dump_prefix = NULL};
    (void)state;
    stub_gl_reset("4.6");
    assert_int_equal(trace_call_set_parse(&options.dump_calls, "3-4"), 0);
    stub_gl_replay_printing(&options, "glFlush\nglFlush\n");
    trace_call_set_fini(&options.dump_calls);
    const char *second = strchr(stub_gl.printed, '\n');
    assert_non_null(second);
    assert_memory_equal(stub_gl.printed, "{\"parameters\":", 14);
    assert_memory_equal(second + 1, "{\"parameters\":", 14);
    assert_null(strchr(strchr(second + 1, '\n') + 1, '\n'));
}

static void test_failures(void **state)
{
    struct replay_options options = {.dump_prefix = "/nowhere/at/all"};
    (void)state;
    stub_gl_reset("4.6");
    assert_int_equal(trace_call_set_parse(&options.dump_calls, "3"), 0);
    stub_gl_replay(&options, "glFlush\n");
    trace_call_set_fini(&options.dump_calls);
    assert_int_not_equal(stub_gl.rc, 0);
}

/* A program that is made of sources gets a shader that dumps can show. */
static void test_shader_programs(void **state)
{
    static char text[1 << 16];
    (void)state;
#define MAKE "glCreateShaderProgramv type=35633 count=2 strings=[\"ab\",\"cd\"] = 3\n"
    replay("4", false, MAKE "glFlush\n");
    static const char calls[] = "glCreateShaderProgramv(0x8b31, 2)\nglShaderSource(102, 'ab' of 2)\n"
                                "glShaderSource(102, 'cd' of 2)\nglAttachShader(101, 102)\n"
                                "glDeleteShader(102)\n";
    assert_memory_equal(stub_gl.log, calls, sizeof calls - 1);
    take("0000000004.json", text, sizeof text);
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, MAKE);
    stub_gl_expect("glCreateShaderProgramv(0x8b31, 2)\n");
#undef MAKE
}

/* A dump must not depend on a query of the program, whose condition is open again afterwards. */
static void test_conditions(void **state)
{
    static char text[1 << 16];
    (void)state;
    replay("5", false,
           "glGenQueries n=1 ids=[5]\nglBeginConditionalRender id=5 mode=36371\nglFlush\nglFlush\n");
    assert_true(take("0000000005.json", text, sizeof text) > 100);
    const char *begin = strstr(stub_gl.log, "glBeginConditionalRender(101, 0x8e13)\n");
    assert_non_null(begin);
    const char *end = strstr(begin, "glEndConditionalRender()\n");
    assert_non_null(end);
    assert_non_null(strstr(end, "glBeginConditionalRender(101, 0x8e13)\n"));
    /* It stays open if it could not be opened again: its query runs, or has another result. */
    replay("5", false,
           "glGenQueries n=1 ids=[5]\nglBeginConditionalRender id=5 mode=36371\n"
           "glBeginQuery target=35092 id=5\n");
    assert_true(take("0000000005.json", text, sizeof text) > 100);
    stub_gl_expect_no_line("glEndConditionalRender");
    replay("6", false,
           "glGenQueries n=2 ids=[5,6]\nglBeginConditionalRender id=5 mode=36371\n"
           "glBeginQuery target=35092 id=6\nglFlush\n");
    assert_true(take("0000000006.json", text, sizeof text) > 100);
    stub_gl_expect_line("glEndConditionalRender()");
}

/* --- names of shaders that are gone -------------------------------------------------------------------- */

static const struct window_system_ops *stub_ops;
static struct window_system_ops ops;

static int replace_windows(void **state)
{
    (void)state;
    stub_ops = stub_windows.ops;
    ops = *stub_ops;
    stub_windows.ops = &ops;
    return 0;
}

static int restore_windows(void **state)
{
    (void)state;
    stub_windows.ops = stub_ops;
    return 0;
}

static GLuint create_again(GLenum type)
{
    (void)type;
    return 102; /* the one that the replayer had added is deleted */
}

static void detach(GLuint program, GLuint shader)
{
    stub_gl_log("glDetachShader(%u, %u)", program, shader);
}

static void *get_proc(struct window_system *ws, const char *name)
{
    union {
        void (*function)(void);
        void *object;
    } address = {.object = NULL};
    if (strcmp(name, "glCreateShader") == 0 && strstr(stub_gl.log, "glDeleteShader(102)") != NULL)
        address.function = (void (*)(void))create_again;
    else if (strcmp(name, "glDetachShader") == 0)
        address.function = (void (*)(void))detach;
    else
        return stub_ops->get_proc(ws, name);
    return address.object;
}

/* A driver takes the name again, for a shader of the program, which it keeps. */
static void test_names_that_are_used_again(void **state)
{
    static const char make[] = "glCreateShaderProgramv type=35633 count=1 strings=[\"ab\"] = 3\n";
    static char text[1 << 16], calls[400];
    (void)state;
    ops.get_proc = get_proc;
    for (int again = 0; again < 2; ++again) {
        snprintf(calls, sizeof calls, "%s%sglLinkProgram program=3\nglFlush\n", make,
                 again ? "glCreateShader type=35633 = 4\n" : "");
        replay("6", false, calls);
        assert_int_equal(strstr(stub_gl.log, "glDetachShader(101, 102)") == NULL, again);
        take("0000000006.json", text, sizeof text);
    }
}

static GLint link_status, source_length;
static const char *missing; /* function; NULL: none */

static void get_program(GLuint program, GLenum pname, GLint *value)
{
    (void)program;
    *value = pname == GL_LINK_STATUS ? link_status : 0;
}

static GLuint create_shader(GLenum type)
{
    stub_gl_log("glCreateShader(0x%x)", type);
    return ++stub_gl.last_name;
}

static void get_shader(GLuint shader, GLenum pname, GLint *value)
{
    (void)shader;
    *value = pname == GL_SHADER_TYPE ? GL_VERTEX_SHADER : source_length;
}

static void get_source(GLuint shader, GLsizei room, GLsizei *length, GLchar *source)
{
    (void)shader, (void)length;
    snprintf(source, (size_t)room, "ab");
}

static void *get_shader_proc(struct window_system *ws, const char *name)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {{"glCreateShader", (void (*)(void))create_shader},
                     {"glDetachShader", (void (*)(void))detach},
                     {"glGetProgramiv", (void (*)(void))get_program},
                     {"glGetShaderSource", (void (*)(void))get_source},
                     {"glGetShaderiv", (void (*)(void))get_shader}};
    union {
        void (*function)(void);
        void *object;
    } address = {.object = NULL};
    if (missing != NULL && strcmp(name, missing) == 0)
        return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(name, functions[i].name) == 0)
            address.function = functions[i].function;
    return address.object != NULL ? address.object : stub_ops->get_proc(ws, name);
}

#define DETACH                                                                                               \
    "glCreateProgram = 3\nglCreateShader type=35633 = 4\nglAttachShader program=3 shader=4\n"                \
    "glDetachShader program=3 shader=4\nglLinkProgram program=3\n"

/* Shaders are only kept for a dump. */
static void replay_for_dump(const char *number, const char *calls)
{
    static char text[1 << 16];
    char name[40];
    replay(number, false, calls);
    assert_int_equal(stub_gl.rc, 0);
    snprintf(name, sizeof name, "000000000%s.json", number);
    assert_true(take(name, text, sizeof text) > 100);
}

static void expect_detached(const char *kept)
{
    char expected[300];
    snprintf(expected, sizeof expected,
             "glCreateShader(0x8b31)\nglAttachShader(101, 102)\nglDetachShader(101, 102)\n%s", kept);
    replay_for_dump("7", DETACH);
    assert_memory_equal(stub_gl.log, expected, strlen(expected));
    assert_int_equal(strstr(stub_gl.log, "glShaderSource") != NULL, kept[0] != '\0');
}

/* Another shader takes the place of one that is detached, until the program is linked again. */
static void test_detached_shaders(void **state)
{
    (void)state;
    ops.get_proc = get_shader_proc;
    link_status = 1;
    source_length = 3;
    expect_detached("glCreateShader(0x8b31)\nglShaderSource(103, 'ab' of 2)\nglAttachShader(101, "
                    "103)\nglDeleteShader(103)\n"
                    "glDetachShader(101, 103)\nglLinkProgram(101)\n");
    link_status = 0;
    expect_detached("");
    link_status = 1;
    source_length = 0;
    expect_detached("");
}

/* A driver may lack what this takes. */
static void test_missing_functions_of_shaders(void **state)
{
    static const char *const functions[] = {"glCreateShader", "glShaderSource",    "glAttachShader",
                                            "glDetachShader", "glDeleteShader",    "glGetAttachedShaders",
                                            "glGetShaderiv",  "glGetShaderSource", "glGetProgramiv"};
    static const char make[] = "glCreateShaderProgramv type=35633 count=1 strings=[\"ab\"] = 3\n"
                               "glLinkProgram program=3\n";
    (void)state;
    ops.get_proc = get_shader_proc;
    link_status = 1;
    source_length = 3;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        missing = functions[i];
        replay_for_dump("7", DETACH);
        bool keeps = strstr(stub_gl.log, "glShaderSource(103") != NULL;
        assert_int_equal(keeps, strcmp(missing, "glDetachShader") == 0);
        replay_for_dump("4", make);
        bool drops = strstr(stub_gl.log, "glDetachShader(101, 102)") != NULL;
        assert_int_equal(drops,
                         strncmp(missing, "glGetShader", 11) == 0 || strcmp(missing, "glGetProgramiv") == 0);
    }
    missing = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_binary),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_no_such_call),
        cmocka_unit_test(test_stdout),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_no_lists),
        cmocka_unit_test(test_no_pictures),
        cmocka_unit_test(test_framebuffer_objects),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_shader_programs),
        cmocka_unit_test_setup_teardown(test_names_that_are_used_again, replace_windows, restore_windows),
        cmocka_unit_test_setup_teardown(test_detached_shaders, replace_windows, restore_windows),
        cmocka_unit_test_setup_teardown(test_missing_functions_of_shaders, replace_windows, restore_windows),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
