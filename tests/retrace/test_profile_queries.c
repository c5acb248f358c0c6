/* SPDX-License-Identifier: MIT
 * Tests what a profile asks the driver about calls, groups and frames, when it takes the answers, and what it
 * says about a driver that cannot answer.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "failing_memory.h"
#include "gpu_driver.h"
#include "profile/profile.h"
#include "profile/profile_metrics.h"

static struct profile *profile;
static bool is_es;
static char *text;
static size_t text_size;
static FILE *file;
static int64_t opened; /* when */

static void open_profile(const struct profile_options *options)
{
    opened = profile_clock();
    file = open_memstream(&text, &text_size);
    assert_int_equal(profile_open(&profile, options, file), 0);
}

/* Returns the text. It is valid until the next call. */
static const char *finish(void)
{
    static char copy[4000];
    assert_int_equal(profile_close(profile), 0);
    fclose(file);
    snprintf(copy, sizeof copy, "%s", text);
    free(text);
    return copy;
}

static void enter(void)
{
    profile_enter(profile, is_es, get_proc, &is_es);
}

static void reset(void)
{
    memset(&driver, 0, sizeof driver);
    is_es = false;
    driver.is_ready = true;
}

static void draw(void)
{
    static const struct profile_record record = {
        .kind = PROFILE_CALL, .is_draw = true, .name = "glDrawArrays"};
    profile_begin_call(profile, &record);
    profile_end_call(profile);
}

static void group(void)
{
    static const struct profile_record record = {.kind = PROFILE_PUSH, .name = "glPushDebugGroup"};
    profile_add(profile, &record, true);
}

/* --- when answers are there ----------------------------------------------------------------------------- */

#define STAMP(name) "stamp " #name ", 0x8e28\n"
#define ASK(name)   "ask " #name "\n"

/* The last query of a call is asked about, and what it is found to have is taken, in the order of calls. */
static void test_order(void **state)
{
    static const struct profile_options gpu = {.gpu = true}, pixels = {.pixels = true},
                                        both = {.gpu = true, .pixels = true};
    (void)state;
    reset();
    driver.logs_asks = true;
    open_profile(&gpu);
    enter();
    draw();
    profile_end_frame(profile, 0, 0, true);
    draw(); /* with names that are used again, from the last one on */
    profile_end_frame(profile, 0, 0, true);
    assert_string_equal(driver.log, STAMP(1) STAMP(2) STAMP(3) STAMP(4) STAMP(5) ASK(3) ASK(4) STAMP(4)
                                        STAMP(1) STAMP(3) STAMP(2) ASK(1) ASK(3));
    profile_leave(profile, true);
    finish();
    reset();
    driver.logs_asks = true;
    driver.unknown = GL_TIMESTAMP;
    open_profile(&both);
    enter();
    draw();
    profile_end_frame(profile, 0, 0, true);
    assert_string_equal(driver.log, "begin 0x8914, 1\nbegin 0x88bf, 2\nend 0x88bf\nend 0x8914\n" ASK(
                                        2) "delete 2\ndelete 1\n");
    profile_leave(profile, true);
    finish();
    reset();
    driver.logs_asks = true;
    open_profile(&pixels);
    enter();
    draw();
    profile_end_frame(profile, 0, 0, true);
    assert_string_equal(driver.log, "begin 0x8914, 1\nend 0x8914\n" ASK(1) "delete 1\n");
    profile_leave(profile, true);
    finish();
    reset();
    driver.logs_asks = true;
    driver.unknown = GL_TIMESTAMP;
    open_profile(&gpu);
    enter();
    draw();
    profile_end_frame(profile, 0, 0, true);
    assert_string_equal(driver.log, "begin 0x88bf, 1\nend 0x88bf\n" ASK(1) "delete 1\n");
    profile_leave(profile, true);
    finish();
}

/* Nothing is taken before the oldest answer is there, unless the context is left. */
static void test_waiting(void **state)
{
    static const struct profile_options gpu = {.gpu = true};
    (void)state;
    reset();
    driver.is_ready = false;
    driver.logs_asks = true;
    open_profile(&gpu);
    enter();
    draw();
    profile_end_frame(profile, 0, 0, true);
    assert_string_equal(driver.log, STAMP(1) STAMP(2) STAMP(3) STAMP(4) STAMP(5) ASK(3));
    driver.log[0] = '\0';
    profile_leave(profile, true);
    assert_string_equal(driver.log, "delete 2\ndelete 3\ndelete 1\ndelete 4\ndelete 5\n");
    finish();
}

/* Answers that cannot be waited for are forgotten. */
static void test_lost_answers(void **state)
{
    static const struct profile_options both = {.gpu = true, .pixels = true};
    (void)state;
    static const struct profile_record record = {.is_draw = true, .name = "glBegin"};
    reset();
    open_profile(&both);
    enter();
    for (int i = 0; i < 9; ++i) /* their names are left over */
        draw();
    profile_end_frame(profile, 0, 0, true);
    driver.is_ready = false;
    for (int i = 0; i < 3; ++i)
        draw();
    profile_end_frame(profile, 0, 0, true);
    draw();
    profile_begin_call(profile, &record);
    driver.log[0] = '\0';
    profile_leave(profile, false); /* between glBegin() and glEnd() */
    assert_string_equal(driver.log, "");
    profile_end_frame(profile, 0, 0, false);
    driver.is_ready = true;
    driver.logs_asks = true;
    driver.names = 100;
    enter();
    profile_end_frame(profile, 0, 0, true);
    assert_string_equal(driver.log, STAMP(101) STAMP(102) STAMP(103) ASK(102));
    profile_leave(profile, true);
    finish();
}

/* Groups have a stamp, if there is a file of slices. A frame begins with what is first in it. */
static void test_groups(void **state)
{
    static const struct profile_options slices = {.file = "/dev/null",
                                                  .frame_metrics = 1 << METRIC_GPU_START},
                                        frames = {.frame_metrics = 1 << METRIC_GPU_START};
    long long first, second;
    (void)state;
    reset();
    driver.logs_asks = true;
    driver.step = 1000;
    open_profile(&slices);
    enter();
    group();
    profile_end_frame(profile, 0, 0, true);
    group();
    profile_end_frame(profile, 0, 0, true);
    assert_string_equal(driver.log, STAMP(1) STAMP(2) STAMP(3) STAMP(4) ASK(2) ASK(3) STAMP(3) STAMP(1)
                                        STAMP(2) ASK(3) ASK(1));
    profile_leave(profile, true);
    const char *lines = finish();
    assert_int_equal(sscanf(lines, "#\tGPU Start\nframe\t%lld\nframe\t%lld\n", &first, &second), 2);
    assert_int_equal(second - first, 3000); /* of the stamps 1 and 4 */
    reset();
    open_profile(&frames);
    enter();
    group();
    assert_string_equal(driver.log, STAMP(1));
    profile_leave(profile, true);
    finish();
}

/* Without a context, or inside glBegin(), nothing is asked. */
static void test_no_questions(void **state)
{
    static const struct profile_options slices = {.file = "/dev/null"};
    static const struct profile_record record = {.kind = PROFILE_PUSH, .name = "glPushDebugGroup"};
    (void)state;
    reset();
    open_profile(&slices);
    profile_add(profile, &record, true);
    profile_end_frame(profile, 0, 0, true);
    assert_false(profile_has_entered(profile));
    profile_leave(profile, true);
    enter();
    assert_true(profile_has_entered(profile));
    driver.log[0] = '\0';
    profile_add(profile, &record, false);
    profile_end_frame(profile, 0, 0, false);
    assert_string_equal(driver.log, "");
    profile_leave(profile, false);
    assert_string_equal(driver.log, "");
    assert_false(profile_has_entered(profile));
    finish();
}

/* If too many answers are awaited, the oldest ones are waited for. Records stay in their order. */
static void test_many_answers(void **state)
{
    enum { DRAWS = 70000, FRAMES = 3, MOST = 1 << 16 };
    static const struct profile_options gpu = {.gpu = true};
    struct profile_record record = {.kind = PROFILE_CALL, .is_draw = true, .name = "glDrawArrays"};
    (void)state;
    reset();
    open_profile(&gpu);
    enter();
    driver.is_ready = false;
    for (int frame = 0; frame < FRAMES; ++frame) {
        for (int i = 0; i < DRAWS; ++i) {
            record.call++;
            driver.log[0] = '\0';
            profile_begin_call(profile, &record);
            profile_end_call(profile);
        }
        profile_end_frame(profile, 0, 0, true);
        fflush(file);
        unsigned lines = 0; /* with the first one, and ends of frames */
        for (size_t i = 0; i < text_size; ++i)
            lines += text[i] == '\n';
        assert_int_equal(lines, 1 + (frame + 1) * (DRAWS + 1) - (MOST - 1));
    }
    driver.log[0] = '\0';
    profile_leave(profile, false);
    assert_int_equal(profile_close(profile), 0);
    fclose(file);
    unsigned call = 0, number;
    char line[200];
    file = fmemopen(text, text_size, "r");
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "call %u ", &number) == 1)
            assert_int_equal(number, ++call);
    fclose(file);
    assert_int_equal(call, FRAMES * DRAWS);
    free(text);
}

/* What has been written takes no memory. */
static void test_long_profiles(void **state)
{
    enum { MOST_ALLOCATIONS = 6 };
    static const struct profile_options gpu = {.gpu = true};
    bool has_failed;
    (void)state;
    reset();
    open_profile(&gpu);
    enter();
    failing_memory_begin(MOST_ALLOCATIONS);
    for (int i = 0; i < 1000; ++i) {
        driver.log[0] = '\0';
        draw();
        profile_end_frame(profile, 0, 0, true);
    }
    failing_memory_end(&has_failed);
    assert_false(has_failed);
    profile_leave(profile, true);
    assert_int_equal(profile_close(profile), 0);
    fclose(file);
    free(text);
}

/* --- times and memory ----------------------------------------------------------------------------------- */

/* They are counted from the beginning of the profile. */
static void test_times(void **state)
{
    static const struct profile_options frames = {.frame_metrics =
                                                      1 << METRIC_CPU_START | 1 << METRIC_CPU_DURATION},
                                        times = {.frame_times = true};
    long long start[2], duration[2], end;
    (void)state;
    reset();
    open_profile(&frames);
    profile_end_frame(profile, 0, 0, false);
    profile_end_frame(profile, 0, 0, false);
    int64_t longest = profile_clock() - opened;
    const char *lines = finish();
    assert_int_equal(sscanf(lines, "#\tCPU Start\tCPU Duration\nframe\t%lld\t%lld\nframe\t%lld\t%lld\n",
                            &start[0], &duration[0], &start[1], &duration[1]),
                     4);
    assert_in_range(start[0], 0, longest);
    assert_in_range(duration[0], 0, longest);
    assert_in_range(start[1], start[0] + duration[0], longest);
    assert_in_range(duration[1], 0, longest);
    open_profile(&frames);
    group(); /* begins it, too */
    profile_end_frame(profile, 0, 0, false);
    longest = profile_clock() - opened;
    assert_int_equal(sscanf(finish(), "#\tCPU Start\tCPU Duration\nframe\t%lld\t", &start[0]), 1);
    assert_in_range(start[0], 0, longest);
    open_profile(&times);
    group();
    profile_end_frame(profile, 0, 0, false);
    longest = profile_clock() - opened;
    lines = strstr(finish(), "rendering_finished");
    assert_non_null(lines);
    assert_int_equal(sscanf(lines, "rendering_finished %lld", &end), 1);
    assert_in_range(end, 0, longest);
}

/* A group that began before the profile is left out. Others are where they were. */
static void test_spans(void **state)
{
    char path[] = "/tmp/test_profile_queries.XXXXXX", found[2000] = "";
    const struct profile_options slices = {.file = path, .has_min_cpu_time = true};
    struct profile_record early = {.kind = PROFILE_WINDOW_CALL, .name = "early", .cpu = {.start = 1}};
    struct profile_record late = {.kind = PROFILE_WINDOW_CALL, .name = "late"};
    (void)state;
    reset();
    int fd = mkstemp(path);
    open_profile(&slices);
    profile_end_frame(profile, 0, 0, false); /* begins it */
    early.label = strdup("early");
    profile_add(profile, &early, false);
    late.cpu.start = profile_clock();
    late.cpu.end = late.cpu.start + 5000000;
    profile_add(profile, &late, false);
    finish();
    assert_true(pread(fd, found, sizeof found - 1, 0) > 0);
    close(fd);
    unlink(path);
    assert_null(strstr(found, "early"));
    const char *slice = strstr(found, "\"late\"");
    assert_non_null(slice);
    assert_memory_equal(strstr(slice, "\"dur\":"), "\"dur\":5000.000", 14);
}

/* Memory is measured at the beginning and at the end of calls and frames. */
static void test_memory(void **state)
{
    static const unsigned metrics[] = {1 << METRIC_VSIZE_START | 1 << METRIC_VSIZE_DURATION,
                                       1 << METRIC_RSS_START | 1 << METRIC_RSS_DURATION};
    (void)state;
    reset();
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; ++i) {
        const struct profile_options options = {.frame_metrics = metrics[i], .call_metrics = metrics[i]};
        long long start[2], change[2];
        open_profile(&options);
        draw();
        profile_end_frame(profile, 0, 0, false);
        const char *lines = finish();
        const char *frame = strstr(lines, "\nframe\t"), *call = strstr(lines, "\tglDrawArrays\t");
        assert_true(frame != NULL && call != NULL);
        assert_int_equal(sscanf(frame, "\nframe\t%lld\t%lld\n", &start[0], &change[0]), 2);
        assert_int_equal(sscanf(call, "\tglDrawArrays\t%lld\t%lld\n", &start[1], &change[1]), 2);
        for (int k = 0; k < 2; ++k)
            assert_true(start[k] > 100000 && llabs(change[k]) < start[k] / 2);
    }
}

/* --- warnings ------------------------------------------------------------------------------------------- */

#define NO_TIMES    "warning: profile: the driver cannot tell times of the GPU\n"
#define NO_PIXELS   "warning: profile: the driver cannot count pixels\n"
#define OTHER_CLOCK "warning: profile: the clock of the GPU has changed; some of its times are wrong\n"

/* Each warning is printed once, and only if somebody wants to know. */
static void test_warnings(void **state)
{
    static const struct {
        struct profile_options options;
        const char *lacks;
        GLenum unknown;
        bool is_es;
        GLint disjoint;
        const char *expected;
    } cases[] = {
        {{.gpu = true, .pixels = true}, NULL, 0, false, 0, ""},
        {{.gpu = true, .pixels = true}, "glGetQueryiv", 0, false, 0, NO_TIMES NO_PIXELS},
        {{.gpu = true}, NULL, GL_TIMESTAMP, false, 0, ""},
        {{.gpu = true}, NULL, GL_TIME_ELAPSED, false, 0, ""},
        {{.cpu = true}, "glGetQueryiv", 0, false, 0, ""},
        {{.pixels = true}, NULL, 0, true, 0, NO_PIXELS},
        {{.draw_metrics = 1 << METRIC_PIXELS}, NULL, 0, true, 0, NO_PIXELS},
        {{.draw_metrics = 1 << METRIC_GPU_START}, "glGetQueryiv", 0, false, 0, NO_TIMES},
        {{.draw_metrics = 1 << METRIC_GPU_DURATION}, "glGetQueryiv", 0, false, 0, NO_TIMES},
        {{.file = "/dev/null"}, "glGetQueryiv", 0, false, 0, NO_TIMES},
        {{.gpu = true}, NULL, 0, true, 1, OTHER_CLOCK},
        {{.gpu = true}, NULL, 0, false, 1, ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char said[400] = "";
        int fd = memfd_create("messages", MFD_CLOEXEC), before = dup(STDERR_FILENO);
        reset();
        is_es = cases[i].is_es;
        driver.lacks = cases[i].lacks;
        driver.unknown = cases[i].unknown;
        driver.disjoint = cases[i].disjoint;
        open_profile(&cases[i].options);
        dup2(fd, STDERR_FILENO);
        for (int k = 0; k < 2; ++k) {
            enter();
            profile_end_frame(profile, 0, 0, true);
            profile_leave(profile, true);
        }
        dup2(before, STDERR_FILENO);
        finish();
        ssize_t n = pread(fd, said, sizeof said - 1, 0);
        said[n > 0 ? n : 0] = '\0';
        close(fd);
        close(before);
        assert_string_equal(said, cases[i].expected);
    }
}

/* --- what there is -------------------------------------------------------------------------------------- */

static void test_available_metrics(void **state)
{
    enum {
        MEMORY_AND_CPU = 1 << METRIC_CPU_START | 1 << METRIC_CPU_DURATION | 1 << METRIC_VSIZE_START |
                         1 << METRIC_VSIZE_DURATION | 1 << METRIC_RSS_START | 1 << METRIC_RSS_DURATION
    };
    static const struct profile_options options = {.cpu = true};
    static const struct {
        GLenum unknown;
        unsigned more;
    } cases[] = {
        {0, 1 << METRIC_GPU_START | 1 << METRIC_GPU_DURATION | 1 << METRIC_PIXELS},
        {GL_TIMESTAMP, 1 << METRIC_GPU_DURATION | 1 << METRIC_PIXELS},
        {GL_SAMPLES_PASSED, 1 << METRIC_GPU_START | 1 << METRIC_GPU_DURATION},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reset();
        driver.unknown = cases[i].unknown;
        open_profile(&options);
        enter();
        assert_int_equal(profile_available(profile), MEMORY_AND_CPU | cases[i].more);
        profile_leave(profile, true);
        assert_int_equal(profile_available(profile), MEMORY_AND_CPU);
        finish();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),        cmocka_unit_test(test_long_profiles),
        cmocka_unit_test(test_many_answers), cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_lost_answers), cmocka_unit_test(test_groups),
        cmocka_unit_test(test_no_questions), cmocka_unit_test(test_times),
        cmocka_unit_test(test_spans),        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_warnings),     cmocka_unit_test(test_available_metrics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
