/* SPDX-License-Identifier: MIT
 * Tests the options of profiles, and the names, places and values of metrics.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "profile/profile_metrics.h"
#include "profile/profile_options.h"

#include "base/error.h"

static const struct {
    const char *name, *place;
    enum profile_metric metric;
    int64_t value; /* of the record below */
} metrics[] = {
    {"CPU Start", "[0,0]", METRIC_CPU_START, 3},
    {"CPU Duration", "[0, 1]", METRIC_CPU_DURATION, 10},
    {"GPU Start", "[1,0]", METRIC_GPU_START, 100},
    {"GPU Duration", "[1,1]", METRIC_GPU_DURATION, 50},
    {"Pixels Drawn", "[1,2]", METRIC_PIXELS, 77},
    {"VSIZE Start", "[0,2]", METRIC_VSIZE_START, 1000},
    {"VSIZE Duration", "[0,3]", METRIC_VSIZE_DURATION, -400},
    {"RSS Start", "[0,4]", METRIC_RSS_START, 2000},
    {"RSS Duration", "[0,5]", METRIC_RSS_DURATION, 30},
};
_Static_assert(sizeof metrics / sizeof *metrics == METRIC_COUNT, "all of them");

static const struct profile_record record = {
    .cpu = {3, 13}, .gpu = {100, 150}, .pixels = 77, .vsize = {1000, 600}, .rss = {2000, 2030}};

static unsigned parse(const char *text)
{
    unsigned set = 0;
    return profile_metrics_parse(&set, text) == 0 ? set : 0;
}

static void test_metrics(void **state)
{
    (void)state;
    for (unsigned i = 0; i < METRIC_COUNT; ++i) {
        char text[100];
        snprintf(text, sizeof text, "opengl: %s", metrics[i].name);
        assert_int_equal(parse(text), 1U << metrics[i].metric);
        snprintf(text, sizeof text, "opengl: %s", metrics[i].place);
        assert_int_equal(parse(text), 1U << metrics[i].metric);
        assert_string_equal(profile_metric_name(metrics[i].metric), metrics[i].name);
        assert_int_equal(profile_metric_value(metrics[i].metric, &record), metrics[i].value);
    }
}

static void test_lists(void **state)
{
    const unsigned start = 1U << METRIC_CPU_START, pixels = 1U << METRIC_PIXELS;
    char longest[300];
    (void)state;
    assert_int_equal(parse("opengl: CPU Start, Pixels Drawn"), start | pixels);
    assert_int_equal(parse(" opengl :\tCPU Start ,[1,2] "), start | pixels);
    assert_int_equal(parse("opengl: CPU Start; opengl: [1,2];"), start | pixels);
    assert_int_equal(parse("opengl: CPU Start;opengl"), 0);
    assert_int_equal(parse("opengl"), 0);
    assert_int_equal(parse(""), 0);
    assert_int_equal(parse("opengl:"), 0);
    assert_int_equal(parse("GL_AMD_perfmon: CPU Start"), 0);
    assert_int_equal(parse("openg: CPU Start"), 0);
    assert_int_equal(parse("vulkan: CPU Start"), 0); /* as long a name */
    assert_int_equal(parse("opengl: CPU Start;;"), 0);
    assert_int_equal(parse("opengl: CPU Start; ;opengl: [1,2]"), 0);
    assert_int_equal(parse("opengl: CPU Star"), 0);
    assert_int_equal(parse("opengl: [0,6]"), 0);
    assert_int_equal(parse("opengl: [2,0]"), 0);
    assert_int_equal(parse("opengl: [0,0"), 0);
    assert_int_equal(parse("opengl: [0,0]x"), 0);
    memset(longest, ' ', sizeof longest);
    memcpy(longest, "opengl:", 7);
    memcpy(longest + 246, "CPU Start", 10); /* 255 bytes */
    assert_int_equal(parse(longest), start);
    longest[245] = 'x';
    assert_int_equal(parse(longest), 0);
    memset(longest + 245, ' ', 20);
    memcpy(longest + 247, "CPU Start", 10);
    assert_int_equal(parse(longest), 0);
    assert_non_null(strstr(trace_error_message(), "too long"));
}

/* What the driver cannot tell is not in the list of all metrics. */
static void test_printed_list(void **state)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    (void)state;
    profile_metrics_list(file, 1U << METRIC_CPU_DURATION | 1U << METRIC_PIXELS);
    fclose(file);
    assert_string_equal(text,
                        "Available metrics: \n\nBackend opengl:\n\n"
                        "  Group #0: CPU.\n"
                        "    Metric #1: CPU Duration (type: CNT_TYPE_DURATION, num. type: CNT_NUM_INT64).\n"
                        "           Description: \n\n"
                        "  Group #1: GPU.\n"
                        "    Metric #2: Pixels Drawn (type: CNT_TYPE_GENERIC, num. type: CNT_NUM_INT64).\n"
                        "           Description: \n\n");
    free(text);
}

static void test_flags(void **state)
{
    static const struct {
        const char *name;
        size_t offset;
        bool measures;
    } flags[] = {
        {"pcpu", offsetof(struct profile_options, cpu), true},
        {"pgpu", offsetof(struct profile_options, gpu), true},
        {"ppd", offsetof(struct profile_options, pixels), true},
        {"pmem", offsetof(struct profile_options, memory), true},
        {"pframe-times", offsetof(struct profile_options, frame_times), true},
        {"list-metrics", offsetof(struct profile_options, list_metrics), true},
        {"gen-passes", offsetof(struct profile_options, count_passes), false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
        struct profile_options o = {0}, only;
        int rc = -1;
        assert_false(profile_options_measure(&o));
        assert_true(profile_options_set(&o, flags[i].name, NULL, &rc));
        assert_int_equal(rc, 0);
        assert_int_equal(profile_options_measure(&o), flags[i].measures);
        assert_true(*(bool *)((char *)&o + flags[i].offset));
        *(bool *)((char *)&o + flags[i].offset) = false; /* and nothing else is set */
        memset(&only, 0, sizeof only);
        assert_memory_equal(&o, &only, sizeof o);
    }
}

static int set(struct profile_options *o, const char *name, const char *value)
{
    int rc = -1;
    errno = ERANGE; /* of something before */
    assert_true(profile_options_set(o, name, value, &rc));
    return rc;
}

static void test_values(void **state)
{
    struct profile_options o = {0};
    int rc;
    (void)state;
    assert_int_equal(profile_options_min_cpu_time(&o), 1000);
    assert_int_equal(set(&o, "min-cpu-time", "0"), 0);
    assert_int_equal(profile_options_min_cpu_time(&o), 0);
    assert_int_equal(set(&o, "min-cpu-time", "2500"), 0);
    assert_int_equal(profile_options_min_cpu_time(&o), 2500);
    static const char *const wrong[] = {"", "x", "5x", "-1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        assert_int_not_equal(set(&o, "min-cpu-time", wrong[i]), 0);
    assert_false(profile_options_measure(&o));
    assert_int_equal(set(&o, "pcalls", "opengl: [0,0]"), 0);
    assert_int_equal(set(&o, "pdrawcalls", "opengl: [0,1]"), 0);
    assert_int_equal(set(&o, "pframes", "opengl: [1,0]"), 0);
    assert_int_equal(o.call_metrics, 1U << METRIC_CPU_START);
    assert_int_equal(o.draw_metrics, 1U << METRIC_CPU_DURATION);
    assert_int_equal(o.frame_metrics, 1U << METRIC_GPU_START);
    assert_true(profile_options_measure(&o));
    assert_int_not_equal(set(&o, "pframes", "opengl: nothing"), 0);
    assert_memory_equal(trace_error_message(), "--pframes: ", 11);
    assert_int_equal(set(&o, "profile", "file.json"), 0);
    assert_string_equal(o.file, "file.json");
    assert_false(profile_options_set(&o, "pcp", NULL, &rc));
    o = (struct profile_options){.file = "x"};
    assert_true(profile_options_measure(&o));
    o = (struct profile_options){.frame_metrics = 1};
    assert_true(profile_options_measure(&o));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metrics), cmocka_unit_test(test_lists),  cmocka_unit_test(test_printed_list),
        cmocka_unit_test(test_flags),   cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
