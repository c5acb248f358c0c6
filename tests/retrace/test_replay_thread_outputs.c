/* SPDX-License-Identifier: MIT
 * Tests pictures, profiles, markers and messages of traces with several threads: each belongs to the thread
 * and the context of its call, whether one thread replays all calls or there is one for each.
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

#include "stub_gl.h"

/* Thread 1 has context 3 and drawable 4 of the log. */
#define SECOND_CONTEXT                                                                                       \
    "@1 glXCreateContext dpy=0x10 vis=0x20 shareList=0x30 direct=1 = 0x40\n"                                 \
    "@1 glXMakeCurrent dpy=0x10 drawable=78 ctx=0x40 = 1\n"
#define DRAW     "glDrawArrays mode=4 first=0 count=1\n"
#define SWAP     "glXSwapBuffers dpy=0x10 drawable=77\n"
#define SWAP_TWO "@1 glXSwapBuffers dpy=0x10 drawable=78\n"

static struct replay_options options;

static void replay(bool single_thread, const char *text)
{
    stub_gl_reset("4.6");
    stub_gl.shows_contexts = stub_gl.timers.enabled = true;
    options.single_thread = single_thread;
    stub_gl_replay_printing(&options, text);
    assert_int_equal(stub_gl.rc, 0);
    assert_int_equal(stub_gl.failures, 0);
    assert_int_equal(stub_gl.timers.made, stub_gl.timers.freed);
}

/* Fails the test unless these lines of the log, among others, are in this order. */
static void expect_order(const char *const *lines, size_t count)
{
    const char *at = stub_gl.log;
    for (size_t i = 0; i < count; ++i) {
        at = strstr(at, lines[i]);
        if (at == NULL)
            fail_msg("line %zu, '%s', is missing, or not in order:\n%s", i, lines[i], stub_gl.log);
        at += strlen(lines[i]);
    }
}

#define EXPECT_ORDER(...)                                                                                    \
    expect_order((const char *const[]){__VA_ARGS__},                                                         \
                 sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

/* --- pictures ------------------------------------------------------------------------------------------- */

/* Pictures are read in the context of their call, and before the next thread draws. */
static void test_pictures(void **state)
{
    (void)state;
    static const char calls[] =
        SECOND_CONTEXT "~glViewport x=0 y=0 width=10 height=20\n"
                       "@1 ~glViewport x=0 y=0 width=30 height=40\n" DRAW "@1 " DRAW SWAP SWAP_TWO "@1 " DRAW;
    for (int single = 0; single < 2; ++single) {
        options = (struct replay_options){.snapshot_prefix = "-", .snapshot_format = SNAPSHOT_RGB};
        assert_int_equal(trace_call_set_parse(&options.snapshot_calls, "*/draw,*/frame"), 0);
        replay(single, calls);
        EXPECT_ORDER("glDrawArrays(0, 1) in 1\n", "glReadPixels(10 x 20)", "read in 1\n",
                     "glDrawArrays(0, 1) in 3\n", "glReadPixels(30 x 40)", "read in 3\n",
                     "glReadPixels(10 x 20)", "read in 1\n", "swap 2\n", "glReadPixels(30 x 40)",
                     "read in 3\n", "swap 4\n", "glDrawArrays(0, 1) in 3\n", "glReadPixels(30 x 40)",
                     "read in 3\n");
        assert_int_equal(stub_gl.snapshots, 5);
        trace_call_set_fini(&options.snapshot_calls);
    }
}

/* Files are encoded by other threads than those that read the pictures. */
static void test_files_of_pictures(void **state)
{
    (void)state;
    char prefix[60], path[100], directory[] = "/tmp/test_thread_outputs.XXXXXX";
    assert_non_null(mkdtemp(directory));
    snprintf(prefix, sizeof prefix, "%s/p-", directory);
    for (int single = 0; single < 2; ++single) {
        options = (struct replay_options){.snapshot_prefix = prefix, .snapshot_threaded = true};
        assert_int_equal(trace_call_set_parse(&options.snapshot_calls, "*/frame"), 0);
        replay(single, SECOND_CONTEXT DRAW SWAP "@1 " DRAW SWAP_TWO SWAP SWAP_TWO);
        for (int i = 0; i < 4; ++i) {
            snprintf(path, sizeof path, "%s%010d.png", prefix, i);
            assert_non_null(strstr(stub_gl.printed, path));
            assert_int_equal(unlink(path), 0);
        }
        trace_call_set_fini(&options.snapshot_calls);
    }
    assert_int_equal(rmdir(directory), 0);
}

/* --- profiles ------------------------------------------------------------------------------------------- */

/* Queries are those of the context, and results come in the order of the calls. */
static void test_lines_of_profiles(void **state)
{
    (void)state;
    for (int single = 0; single < 2; ++single) {
        options = (struct replay_options){.benchmark = true, .profile = {.gpu = true, .pixels = true}};
        replay(single, SECOND_CONTEXT DRAW "@1 " DRAW SWAP DRAW "@1 " DRAW SWAP_TWO);
        const char *at = strchr(stub_gl.printed, '\n');
        static const unsigned numbers[] = {2, 5, 6, 0, 8, 9, 0};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
            unsigned call = 0;
            long long start, gpu, pixels;
            at = strchr(at, '\n') + 1;
            if (numbers[i] == 0) {
                assert_memory_equal(at, "frame_end\n", 10);
                continue;
            }
            if (sscanf(at, "call %u %lld %lld 0 0 0 0 0 0 %lld", &call, &start, &gpu, &pixels) != 4 ||
                call != numbers[i] || gpu != (call > 2 ? 1000 : 0) || pixels != (call > 2 ? 300 : -1))
                fail_msg("line %zu: %s", i, stub_gl.printed);
        }
    }
}

/* The events of a file for Perfetto: phase, process, track and name. */
static void read_events(const char *path, char *out, size_t size)
{
    char line[512];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    *out = '\0';
    while (fgets(line, sizeof line, f) != NULL) {
        unsigned process, track;
        char phase, name[100] = "";
        const char *named = strstr(line, "\"name\":\""), *event = strstr(line, "\"ph\":\"");
        if (event == NULL ||
            sscanf(event, "\"ph\":\"%c\",\"pid\":%u,\"tid\":%u", &phase, &process, &track) != 3 ||
            phase == 'M')
            continue;
        if (named != NULL)
            sscanf(named, "\"name\":\"%99[^\"]", name);
        size_t end = strlen(out);
        snprintf(out + end, size - end, "%c%u.%u %s\n", phase, process, track, name);
    }
    fclose(f);
}

/* Each thread has tracks of its own, with its frames, groups and draws. */
static void test_tracks_of_profiles(void **state)
{
    (void)state;
    char path[] = "/tmp/test_thread_outputs.XXXXXX", events[4096];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (int single = 0; single < 2; ++single) {
        options = (struct replay_options){
            .benchmark = true,
            .profile = {.file = path, .has_min_cpu_time = true, .min_cpu_time = 10000000000}};
        replay(single,
               SECOND_CONTEXT "glPushGroupMarkerEXT length=5 marker=\"scene\"\n"
                              "@1 " DRAW DRAW SWAP_TWO "@1 " DRAW SWAP_TWO "glPopGroupMarkerEXT\n" SWAP);
        read_events(path, events, sizeof events);
        assert_string_equal(events, "B1.1 frame 0\n"
                                    "B2.1 frame 0\n"
                                    "B1.1 scene\n"
                                    "B2.1 scene\n"
                                    "B1.2 frame 0\n"
                                    "X1.2 glDrawArrays\n"
                                    "B2.2 frame 0\n"
                                    "X2.2 glDrawArrays\n"
                                    "X1.1 glDrawArrays\n"
                                    "X2.1 glDrawArrays\n"
                                    "E1.2 \n"
                                    "E2.2 \n"
                                    "B1.2 frame 1\n"
                                    "X1.2 glDrawArrays\n"
                                    "B2.2 frame 1\n"
                                    "X2.2 glDrawArrays\n"
                                    "E1.2 \n"
                                    "E2.2 \n"
                                    "E1.1 \n"
                                    "E2.1 \n"
                                    "E1.1 \n"
                                    "E2.1 \n");
    }
    unlink(path);
}

/* If another thread goes on between glBegin() and glEnd(), nothing is asked there. */
static void test_switches_inside_begin_and_end(void **state)
{
    (void)state;
    for (int single = 0; single < 2; ++single) {
        stub_gl_reset("4.6");
        stub_gl.timers.enabled = true;
        options = (struct replay_options){
            .benchmark = true, .single_thread = single, .profile = {.gpu = true, .pixels = true}};
        stub_gl_replay_printing(&options, SECOND_CONTEXT "glBegin mode=4\n"
                                                         "@1 glXSwapBuffers dpy=0x10 drawable=78\n"
                                                         "glEnd\n" DRAW);
        stub_gl_expect_no_line("a question");
        assert_non_null(strstr(stub_gl.printed, "glBegin\n"));
        assert_non_null(strstr(stub_gl.printed, "glDrawArrays\n"));
    }
}

/* --- markers and messages ------------------------------------------------------------------------------- */

static void test_markers(void **state)
{
    (void)state;
    for (int single = 0; single < 2; ++single) {
        options = (struct replay_options){.markers = true};
        replay(single, SECOND_CONTEXT DRAW "@1 " DRAW);
        EXPECT_ORDER("5, 0x826b: 5 glDrawArrays\n", "glDrawArrays(0, 1) in 1\n",
                     "6, 0x826b: 6 glDrawArrays\n", "glDrawArrays(0, 1) in 3\n");
    }
}

/* Each context is asked for its messages, once. */
static void test_messages(void **state)
{
    (void)state;
    for (int single = 0; single < 2; ++single) {
        options = (struct replay_options){.debug = true};
        replay(single, SECOND_CONTEXT DRAW "@1 " DRAW DRAW "@1 " DRAW);
        const char *first = strstr(stub_gl.log, "glDebugMessageCallback"),
                   *second = strstr(first + 1, "glDebugMessageCallback");
        assert_non_null(second);
        assert_true(second < strstr(stub_gl.log, "glDrawArrays"));
        assert_null(strstr(second + 1, "glDebugMessageCallback"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_files_of_pictures),
        cmocka_unit_test(test_lines_of_profiles),
        cmocka_unit_test(test_tracks_of_profiles),
        cmocka_unit_test(test_switches_inside_begin_and_end),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
