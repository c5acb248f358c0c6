/* SPDX-License-Identifier: MIT
 * Tests what a profile tells, and what it asks the driver for that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "profile/profile_metrics.h"
#include "stub_gl.h"

#define FRAME "glXSwapBuffers dpy=0x10 drawable=77\n"
#define DRAW  "glDrawArrays mode=4 first=0 count=1\n"

static struct replay_options options;

static int reset(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.timers.enabled = true;
    stub_gl.timers.lag = 2;
    options = (struct replay_options){.benchmark = true, .single_thread = true};
    return 0;
}

/* Replays the calls. All queries must have been deleted. */
static void replay(const char *text)
{
    stub_gl_replay_printing(&options, text);
    assert_int_equal(stub_gl.rc, 0);
    assert_int_equal(stub_gl.timers.made, stub_gl.timers.freed);
}

/* Finds the line of a call in the output. */
static const char *line_of(unsigned call)
{
    char start[24];
    snprintf(start, sizeof start, "\ncall %u ", call);
    const char *line = strstr(stub_gl.printed, start);
    if (line == NULL)
        fail_msg("no call %u in:\n%s", call, stub_gl.printed);
    return line + strlen(start);
}

struct line {
    long long gpu, gpu_time, cpu, cpu_time, vsize, vsize_more, rss, rss_more, pixels, program;
    char name[40];
};

static struct line read_line(unsigned call)
{
    struct line l;
    assert_int_equal(sscanf(line_of(call), "%lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %39s", &l.gpu,
                            &l.gpu_time, &l.cpu, &l.cpu_time, &l.vsize, &l.vsize_more, &l.rss, &l.rss_more,
                            &l.pixels, &l.program, l.name),
                     11);
    return l;
}

static void expect_printed(const char *part)
{
    if (strstr(stub_gl.printed, part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, stub_gl.printed);
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static void test_lines(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.gpu = true, .pixels = true};
    replay("glUseProgram program=5\n" DRAW FRAME "glViewport x=0 y=0 width=1 height=1\n" DRAW);
    assert_memory_equal(stub_gl.printed,
                        "# call no gpu_start gpu_dura cpu_start cpu_dura vsize_start vsize_dura rss_start "
                        "rss_dura pixels program name\n",
                        60);
    struct line use = read_line(3), first = read_line(4), second = read_line(7);
    assert_string_equal(use.name, "glUseProgram");
    assert_int_equal(use.pixels, -1);
    assert_int_equal(use.gpu_time, 0);
    assert_string_equal(first.name, "glDrawArrays");
    assert_int_equal(first.gpu_time, 1000);
    assert_int_equal(first.pixels, 300);
    assert_int_equal(first.program, 5);
    assert_int_equal(first.cpu_time + first.vsize + first.rss, 0);
    assert_int_equal(second.gpu - first.gpu,
                     4000); /* the end of the draw and of its frame, and the start of the next one */
    assert_in_range(first.gpu, 1, 4000000000); /* on the CPU's clock */
    assert_null(strstr(stub_gl.printed, "glXSwapBuffers"));
    expect_printed("glDrawArrays\nframe_end\ncall 6 ");
}

static void test_cpu_times_and_memory(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.cpu = true, .memory = true, .has_min_cpu_time = true};
    replay(DRAW DRAW);
    struct line first = read_line(3), second = read_line(4);
    assert_in_range(first.cpu_time, 0, 60000000000);
    assert_true(second.cpu >= first.cpu + first.cpu_time);
    assert_true(first.vsize > 1000000 && first.rss > 100000 && first.rss < first.vsize);
    assert_int_equal(first.pixels, 0);
    assert_int_equal(stub_gl.timers.made, 0);
    options.profile.min_cpu_time = 1000000000;
    reset(NULL);
    options.profile =
        (struct profile_options){.cpu = true, .has_min_cpu_time = true, .min_cpu_time = 1000000000};
    replay(DRAW);
    assert_null(strstr(stub_gl.printed, "\ncall "));
}

static void test_frame_times(void **state)
{
    (void)state;
    long long first, second;
    options.profile = (struct profile_options){.frame_times = true};
    replay(DRAW FRAME DRAW FRAME);
    const char *line = strchr(stub_gl.printed, '\n');
    assert_int_equal(sscanf(line,
                            "\nframe_end\nrendering_finished %lld\nframe_end\nrendering_finished %lld\n",
                            &first, &second),
                     2);
    assert_true(second > first);
}

/* Results are asked for at the ends of frames. Only the end of the replay waits for them. */
static void test_nothing_waits(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.gpu = true};
    replay(DRAW FRAME DRAW FRAME FRAME FRAME FRAME FRAME FRAME FRAME FRAME FRAME FRAME FRAME FRAME);
    assert_in_range(stub_gl.timers.waits, 1, 4); /* for the last two frames */
    assert_int_equal(read_line(3).gpu_time, 1000);
    assert_int_equal(read_line(5).gpu_time, 1000);
}

static void test_without_a_profile(void **state)
{
    (void)state;
    replay(DRAW FRAME);
    assert_int_equal(stub_gl.timers.made, 0);
    assert_string_equal(stub_gl.printed, "");
}

/* --- what must not be asked ------------------------------------------------------------------------------
 */

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

static void test_elapsed_times(void **state)
{
    (void)state;
    stub_gl.timers.elapsed_only = true;
    options.profile = (struct profile_options){.gpu = true};
    replay(DRAW DRAW FRAME);
    assert_int_equal(read_line(3).gpu_time, 7000);
    assert_true(read_line(4).gpu >= read_line(3).gpu + 7000);
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

/* --- selected metrics ------------------------------------------------------------------------------------
 */

static void test_parsing_metrics(void **state)
{
    (void)state;
    unsigned set = 0;
    assert_int_equal(profile_metrics_parse(&set, "opengl: CPU Start, [1, 1] ;opengl:Pixels Drawn;"), 0);
    assert_int_equal(set, 1 << METRIC_CPU_START | 1 << METRIC_GPU_DURATION | 1 << METRIC_PIXELS);
    assert_int_not_equal(profile_metrics_parse(&set, "opengl: CPU"), 0);
    assert_int_not_equal(profile_metrics_parse(&set, "opengl: [1, 9]"), 0);
    assert_int_not_equal(profile_metrics_parse(&set, "opengl: [1, 1"), 0);
    assert_int_not_equal(profile_metrics_parse(&set, "CPU Start"), 0);
    assert_int_not_equal(profile_metrics_parse(&set, "other: CPU Start"), 0);
    set = 0;
    assert_int_not_equal(profile_metrics_parse(&set, ""), 0);
}

static void test_metrics(void **state)
{
    (void)state;
    options.profile =
        (struct profile_options){.call_metrics = 1 << METRIC_PIXELS,
                                 .draw_metrics = 1 << METRIC_GPU_DURATION,
                                 .frame_metrics = 1 << METRIC_GPU_DURATION | 1 << METRIC_PIXELS};
    replay("glViewport x=0 y=0 width=1 height=1\n" DRAW DRAW FRAME FRAME);
    assert_string_equal(stub_gl.printed, "#\tGPU Duration\tPixels Drawn\n"
                                         "frame\t5000\t600\n"
                                         "frame\t1000\t0\n"
                                         "\n"
                                         "#\tcall no\tprogram\tname\tPixels Drawn\n"
                                         "call\t2\t0\tglFlush\t0\n"
                                         "call\t3\t0\tglViewport\t0\n"
                                         "call\t4\t0\tglDrawArrays\t300\n"
                                         "call\t5\t0\tglDrawArrays\t300\n"
                                         "frame_end\n"
                                         "frame_end\n"
                                         "\n"
                                         "#\tcall no\tprogram\tname\tGPU Duration\n"
                                         "call\t4\t0\tglDrawArrays\t1000\n"
                                         "call\t5\t0\tglDrawArrays\t1000\n"
                                         "frame_end\n"
                                         "frame_end\n"
                                         "\n");
}

static void test_list_of_metrics(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.list_metrics = true};
    stub_gl_replay_printing(&options, DRAW FRAME);
    expect_printed(
        "Backend opengl:\n\n  Group #0: CPU.\n    Metric #0: CPU Start (type: CNT_TYPE_TIMESTAMP, num. "
        "type: CNT_NUM_INT64).\n");
    expect_printed("    Metric #2: Pixels Drawn (");
    assert_int_equal(stub_gl.frames, 0);
}

/* --- for Perfetto ----------------------------------------------------------------------------------------
 */

/* Reads the file's slices: phase, process and name, one on each line. */
static void read_slices(const char *path, char *out, size_t size)
{
    char line[512], name[100];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    *out = '\0';
    while (fgets(line, sizeof line, f) != NULL) {
        const char *phase = strstr(line, "\"ph\":\""), *process = strstr(line, "\"pid\":");
        const char *named = strstr(line, "\"name\":\"");
        if (phase == NULL || phase[6] == 'M')
            continue;
        if (phase[6] == 'X' && process[6] == '2') /* a draw on the GPU */
            assert_non_null(strstr(line, "\"dur\":1.000"));
        name[0] = '\0';
        if (named != NULL)
            sscanf(named, "\"name\":\"%99[^\"]", name);
        size_t end = strlen(out);
        snprintf(out + end, size - end, "%c%c %s\n", phase[6], process[6], name);
    }
    fclose(f);
}

static void replay_to_file(const char *text, char *slices, size_t size)
{
    char path[] = "/tmp/test_replay_profile.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    options.profile =
        (struct profile_options){.file = path, .has_min_cpu_time = true, .min_cpu_time = 10000000000};
    replay(text);
    read_slices(path, slices, size);
    unlink(path);
}

static void test_nested_slices(void **state)
{
    (void)state;
    char slices[4096];
    replay_to_file("glPushGroupMarkerEXT length=5 marker=\"scene\"\n"
                   "glPushGroupMarkerEXT length=3 marker=\"sky\"\n" DRAW "glPopGroupMarkerEXT\n" FRAME DRAW
                   "glPopGroupMarkerEXT\n"
                   "glPopGroupMarkerEXT\n" FRAME,
                   slices, sizeof slices);
    assert_string_equal(slices, "B1 frame 0\n"
                                "B2 frame 0\n"
                                "B1 scene\n"
                                "B2 scene\n"
                                "B1 sky\n"
                                "B2 sky\n"
                                "X1 glDrawArrays\n"
                                "X2 glDrawArrays\n"
                                "E1 \n" /* sky */
                                "E2 \n"
                                "E1 \n" /* scene and the frame, which ends inside of it */
                                "E1 \n"
                                "E2 \n"
                                "E2 \n"
                                "B1 frame 1\n"
                                "B1 scene\n"
                                "X1 glDrawArrays\n"
                                "B2 frame 1\n"
                                "B2 scene\n"
                                "X2 glDrawArrays\n"
                                "E1 \n"
                                "E2 \n"
                                "E1 \n"
                                "E2 \n");
}

static void test_totals(void **state)
{
    (void)state;
    char slices[4096];
    replay_to_file("glUseProgram program=5\n" DRAW DRAW DRAW "glUseProgram program=7\n" DRAW FRAME, slices,
                   sizeof slices);
    const char *first = strstr(stub_gl.printed, "\n         5          3        0.003   75.0 ");
    const char *second = strstr(stub_gl.printed, "\n         7          1        0.001   25.0 ");
    if (first == NULL || second == NULL || second < first)
        fail_msg("%s", stub_gl.printed);
    unsigned slowest = 0; /* the first one of those that are as slow */
    assert_int_equal(sscanf(first, "%*u %*u %*f %*f %*f %u", &slowest), 1);
    assert_int_equal(slowest, 4);
}

/* Programs of the same name are different ones, unless their contexts share objects. */
static void test_totals_of_share_groups(void **state)
{
    (void)state;
#define USE "glUseProgram program=5\n" DRAW
    char slices[4096];
    replay_to_file(USE "glXCreateContext dpy=0x10 vis=0x20 shareList=0x30 direct=1 = 0x31\n"
                       "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x31 = 1\n" USE
                       "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x32\n"
                       "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x32 = 1\n" USE FRAME,
                   slices, sizeof slices);
    expect_printed("\n         5          2 ");
    expect_printed("\n         5          1 ");
#undef USE
}

static void test_a_file_that_cannot_be_written(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.file = "/nonexistent/profile.json"};
    stub_gl_replay_all(&options, DRAW);
    assert_int_not_equal(stub_gl.rc, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_lines, reset),
        cmocka_unit_test_setup(test_cpu_times_and_memory, reset),
        cmocka_unit_test_setup(test_frame_times, reset),
        cmocka_unit_test_setup(test_nothing_waits, reset),
        cmocka_unit_test_setup(test_without_a_profile, reset),
        cmocka_unit_test_setup(test_begin_and_end, reset),
        cmocka_unit_test_setup(test_queries_of_the_program, reset),
        cmocka_unit_test_setup(test_elapsed_times, reset),
        cmocka_unit_test_setup(test_open_gl_es, reset),
        cmocka_unit_test_setup(test_a_driver_without_timers, reset),
        cmocka_unit_test_setup(test_drivers_that_lack_a_function, reset),
        cmocka_unit_test_setup(test_display_lists, reset),
        cmocka_unit_test_setup(test_contexts, reset),
        cmocka_unit_test_setup(test_parsing_metrics, reset),
        cmocka_unit_test_setup(test_metrics, reset),
        cmocka_unit_test_setup(test_list_of_metrics, reset),
        cmocka_unit_test_setup(test_nested_slices, reset),
        cmocka_unit_test_setup(test_totals, reset),
        cmocka_unit_test_setup(test_totals_of_share_groups, reset),
        cmocka_unit_test_setup(test_a_file_that_cannot_be_written, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
