/* SPDX-License-Identifier: MIT
 * Tests what a profile asks the driver, and what must not be asked.
 */
#include "profile_lines.h"

static void test_begin_and_end(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.gpu = true, .pixels = true};
    replay("glBegin mode=4\nglVertex2f x=1 y=2\nglEnd\n" DRAW);
    stub_gl_expect("glVertex2f(1, 2)\nglDrawArrays(0, 1)\n");
    assert_string_equal(read_line(3).name, "glBegin");
    assert_int_equal(read_line(3).gpu_time, 1000);
    assert_int_equal(read_line(3).pixels, 300);
    assert_null(strstr(stub_gl.printed, "glVertex2f"));
    assert_null(strstr(stub_gl.printed, "glEnd"));
    assert_int_equal(read_line(6).gpu_time, 1000);
}

static unsigned count_frames(void)
{
    unsigned count = 0;
    for (const char *p = stub_gl.printed; (p = strstr(p, "frame_end\n")) != NULL; ++p)
        count++;
    return count;
}

/* A program may leave a context between glBegin() and glEnd(): the draw has ended, without an answer. */
static void test_begin_without_end(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.gpu = true, .pixels = true};
    stub_gl_replay_printing(&options, "glBegin mode=4\n"
                                      "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n" FRAME);
    assert_int_equal(stub_gl.rc, 0);
    assert_string_equal(read_line(3).name, "glBegin");
    assert_int_equal(read_line(3).gpu_time, 0);
    assert_int_equal(read_line(3).pixels, 0);
    assert_int_equal(count_frames(), 1);
}

/* At a swap there, nothing is asked, nor in a context that is bound again there. */
static void test_other_calls_before_the_end(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.gpu = true, .pixels = true};
    stub_gl_replay_printing(&options,
                            "glBegin mode=4\n" FRAME "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
                            "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
                            "glVertex2f x=1 y=2\nglEnd\n" DRAW);
    assert_int_equal(stub_gl.rc, 0);
    assert_int_equal(read_line(9).gpu_time, 1000);
    assert_int_equal(count_frames(), 1);
    stub_gl_expect_no_line("a question between");
}

/* A swap may be the first call of a context, about which nothing is known yet. */
static void test_swaps_first(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.gpu = true, .memory = true};
    replay("glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x31\n"
           "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x31 = 1\n" FRAME DRAW FRAME);
    assert_int_equal(read_line(6).gpu_time, 1000);
}

/* A query that the program has active is not interrupted. */
static void test_queries_of_the_program(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.pixels = true};
    stub_gl_replay_printing(&options, "glGenQueries n=1 ids=[9]\nglBeginQuery target=0x8914 id=9\n" DRAW
                                      "glEndQuery target=0x8914\n" DRAW);
    stub_gl_expect("glDrawArrays(0, 1)\nglDrawArrays(0, 1)\n");
    assert_int_equal(read_line(5).pixels, 0);
    assert_int_equal(read_line(7).pixels, 300);
    reset(NULL); /* whether any samples pass is the same query for a driver */
    options.profile = (struct profile_options){.pixels = true};
    stub_gl_replay_printing(&options, "glGenQueries n=1 ids=[9]\nglBeginQuery target=0x8c2f id=9\n" DRAW
                                      "glEndQuery target=0x8c2f\n" DRAW);
    assert_int_equal(read_line(5).pixels, 0);
    assert_int_equal(read_line(7).pixels, 300);
}

/* The names of queries that the program has not generated may be those of the profile's queries. */
static void test_queries_without_names(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.gpu = true};
    stub_gl_replay_printing(&options,
                            DRAW DRAW "glBeginQuery target=0x8914 id=101\n" DRAW "glEndQuery target=0x8914\n"
                                      "glBeginQuery target=0x8c2f id=102\n" DRAW
                                      "glEndQuery target=0x8c2f\n" DRAW "glDeleteQueries n=1 ids=[101]\n"
                                      "glDeleteQueries n=1 ids=[103]\n" DRAW);
    stub_gl_expect("glDrawArrays(0, 1)\nglDrawArrays(0, 1)\nglDrawArrays(0, 1)\nglDrawArrays(0, 1)\n"
                   "glDrawArrays(0, 1)\nglDrawArrays(0, 1)\n");
}

static void test_elapsed_times(void **state)
{
    (void)state;
    stub_gl.timers.elapsed_only = true;
    options.profile = (struct profile_options){.gpu = true};
    replay(DRAW DRAW FRAME);
    assert_int_equal(read_line(3).gpu_time, 7000);
    assert_true(read_line(4).gpu >= read_line(3).gpu + 7000);
    reset(NULL); /* the error of the question is not the program's */
    stub_gl.timers.elapsed_only = true;
    options.profile = (struct profile_options){.gpu = true};
    options.check = true;
    replay(DRAW "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
                "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\nglGetError = 0\n");
    assert_int_equal(stub_gl.differing_calls, 0);
    assert_int_equal(stub_gl.answers[0], 1);
    reset(NULL); /* nor is the program's error lost by it */
    stub_gl.timers.elapsed_only = true;
    stub_gl.draw_error = GL_INVALID_OPERATION;
    options.profile = (struct profile_options){.gpu = true};
    options.check = true;
    replay("glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
           "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n" DRAW
           "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
           "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\nglGetError = 1282\n");
    assert_int_equal(stub_gl.differing_calls, 0);
    assert_int_equal(stub_gl.answers[0], 1);
}

static void test_open_gl_es(void **state)
{
    (void)state;
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl.timers.enabled = true;
    options.profile = (struct profile_options){.gpu = true, .pixels = true};
    replay(DRAW FRAME);
    assert_int_equal(read_line(3).gpu_time, 1000);
    stub_gl_expect_message("warning: profile: the driver cannot count pixels\n");
}

static void test_a_driver_without_timers(void **state)
{
    (void)state;
    stub_gl.timers.enabled = false;
    options.profile = (struct profile_options){.gpu = true};
    replay(DRAW FRAME);
    assert_int_equal(read_line(3).gpu_time, 0);
    stub_gl_expect_message("warning: profile: the driver cannot tell times of the GPU\n");
}

/* Without one of the functions, the driver can tell less, and nothing else happens. */
static void test_drivers_that_lack_a_function(void **state)
{
    (void)state;
    static const char *const names[] = {"glGenQueries",        "glDeleteQueries",       "glBeginQuery",
                                        "glEndQuery",          "glQueryCounter",        "glGetQueryiv",
                                        "glGetQueryObjectuiv", "glGetQueryObjectui64v", "glGetInteger64v"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        reset(NULL);
        stub_gl.timers.lacks = names[i];
        options.profile = (struct profile_options){.gpu = true, .pixels = true};
        replay(DRAW FRAME);
        assert_in_range(read_line(3).gpu_time, 0, 7000);
    }
}

/* What a display list records is not measured, nor are its commands questions. */
static void test_display_lists(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.gpu = true, .pixels = true};
    replay("glNewList list=1 mode=4864\n" DRAW "glEndList\n" DRAW);
    assert_null(strstr(stub_gl.printed, "\ncall 3 "));
    assert_null(strstr(stub_gl.printed, "\ncall 4 "));
    assert_int_equal(read_line(6).gpu_time, 1000);
    assert_int_equal(read_line(6).pixels, 300);
}

/* Queries belong to a context. Results are fetched before another context becomes current, and names are not
 * used in the other one. */
static void test_contexts(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.gpu = true};
    replay(DRAW "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x31\n"
                "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x31 = 1\n" DRAW
                "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n");
    assert_int_equal(read_line(3).gpu_time, 1000);
    assert_int_equal(read_line(6).gpu_time, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_begin_and_end, reset),
        cmocka_unit_test_setup(test_begin_without_end, reset),
        cmocka_unit_test_setup(test_other_calls_before_the_end, reset),
        cmocka_unit_test_setup(test_swaps_first, reset),
        cmocka_unit_test_setup(test_queries_of_the_program, reset),
        cmocka_unit_test_setup(test_queries_without_names, reset),
        cmocka_unit_test_setup(test_elapsed_times, reset),
        cmocka_unit_test_setup(test_open_gl_es, reset),
        cmocka_unit_test_setup(test_a_driver_without_timers, reset),
        cmocka_unit_test_setup(test_drivers_that_lack_a_function, reset),
        cmocka_unit_test_setup(test_display_lists, reset),
        cmocka_unit_test_setup(test_contexts, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
