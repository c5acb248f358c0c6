/* SPDX-License-Identifier: MIT
 * Tests what a profile tells.
 */
#include "profile/profile_metrics.h"
#include "profile_lines.h"

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

/* It does not end with the last state dump or picture. */
static void test_profile_beside_dumps(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.cpu = true};
    char prefix[40], path[80];
    snprintf(prefix, sizeof prefix, "/tmp/test_replay_profile.%d.", (int)getpid());
    snprintf(path, sizeof path, "%s0000000003.json", prefix);
    options.dump_prefix = prefix;
    assert_int_equal(trace_call_set_parse(&options.dump_calls, "3"), 0);
    replay(DRAW DRAW DRAW);
    trace_call_set_fini(&options.dump_calls);
    assert_int_equal(unlink(path), 0);
    assert_string_equal(read_line(5).name, "glDrawArrays");
}

/* Computing counts as drawing. */
static void test_computing(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.gpu = true, .pixels = true};
    replay("glDispatchCompute num_groups_x=1 num_groups_y=1 num_groups_z=1\nglUseProgram program=5\n");
    assert_int_equal(read_line(3).gpu_time, 1000);
    assert_int_equal(read_line(4).gpu_time, 0);
}

/* What is not replayed is not measured either, and the replay goes on. */
static void test_unsupported_calls(void **state)
{
    (void)state;
    options.profile = (struct profile_options){.cpu = true};
    replay("glXUseXFont font=5 first=0 count=9 listBase=1\n" DRAW);
    assert_int_equal(stub_gl.failures, 1);
    stub_gl_expect_message("1 calls could not be replayed: glXUseXFont (1)");
    assert_null(strstr(stub_gl.printed, "glXUseXFont"));
    expect_printed("glDrawArrays\n");
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

/* It counts the program's own memory. */
static void test_memory_that_is_used(void **state)
{
    enum { USED = 64 << 20 };
    (void)state;
    char *memory = malloc(USED);
    assert_non_null(memory);
    memset(memory, 1, USED);
    options.profile = (struct profile_options){.memory = true};
    replay(DRAW);
    assert_true(read_line(3).rss > memory[USED / 2] * (long long)USED);
    free(memory);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_lines, reset),
        cmocka_unit_test_setup(test_profile_beside_dumps, reset),
        cmocka_unit_test_setup(test_computing, reset),
        cmocka_unit_test_setup(test_unsupported_calls, reset),
        cmocka_unit_test_setup(test_cpu_times_and_memory, reset),
        cmocka_unit_test_setup(test_memory_that_is_used, reset),
        cmocka_unit_test_setup(test_frame_times, reset),
        cmocka_unit_test_setup(test_nothing_waits, reset),
        cmocka_unit_test_setup(test_without_a_profile, reset),
        cmocka_unit_test_setup(test_parsing_metrics, reset),
        cmocka_unit_test_setup(test_metrics, reset),
        cmocka_unit_test_setup(test_list_of_metrics, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
