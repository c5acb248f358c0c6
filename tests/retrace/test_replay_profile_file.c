/* SPDX-License-Identifier: MIT
 * Tests a profile's file for Perfetto, and the totals of programs that are printed with it.
 */
#include "profile_lines.h"

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

static int64_t shortest = 10000000000; /* nanoseconds of calls that are slices */

static void replay_to_file(const char *text, char *slices, size_t size)
{
    char path[] = "/tmp/test_replay_profile.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    options.profile =
        (struct profile_options){.file = path, .has_min_cpu_time = true, .min_cpu_time = shortest};
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

/* What has no label has the function's name. Calls of the window system are slices, too. */
static void test_names_of_slices(void **state)
{
    (void)state;
    char slices[4096];
    shortest = 0;
    replay_to_file("glPushGroupMarkerEXT length=0 marker=0x0\n"
                   "glInsertEventMarkerEXT length=2 marker=#hi\n"
                   "glPopGroupMarkerEXT\n" FRAME,
                   slices, sizeof slices);
    shortest = 10000000000;
    const char *group = strstr(slices, "B1 glPushGroupMarkerEXT\n"), *mark = strstr(slices, "i1 hi\n"),
               *swap = strstr(slices, "X1 glXSwapBuffers\n");
    if (group == NULL || mark == NULL || swap == NULL || mark < group || swap < mark)
        fail_msg("%s", slices);
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
    reset(NULL);
    if (access("/dev/full", W_OK) != 0)
        skip();
    options.profile = (struct profile_options){.file = "/dev/full"};
    stub_gl_replay_printing(&options, DRAW);
    assert_int_not_equal(stub_gl.rc, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_nested_slices, reset),
        cmocka_unit_test_setup(test_names_of_slices, reset),
        cmocka_unit_test_setup(test_totals, reset),
        cmocka_unit_test_setup(test_totals_of_share_groups, reset),
        cmocka_unit_test_setup(test_a_file_that_cannot_be_written, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
