/* SPDX-License-Identifier: MIT
 * Tests what each output of a profile makes of records: whole texts.
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

#include "base/error.h"
#include "profile/profile.h"
#include "profile/profile_chrome.h"
#include "profile/profile_metrics.h"
#include "profile/profile_programs.h"
#include "profile/profile_sections.h"
#include "profile/profile_table.h"

static const int one, two; /* groups of contexts */

#define DRAW(number, start, length, gpu_start, gpu_length, name_of_program, group)                           \
    {                                                                                                        \
        .kind = PROFILE_CALL, .is_draw = true, .has_gpu = (gpu_length) >= 0, .call = (number),               \
        .name = "glDrawArrays", .program = (name_of_program), .shared = &(group),                            \
        .cpu = {start, (start) + (length)}, .gpu = {gpu_start, (gpu_start) + (gpu_length)}, .pixels = 5,     \
        .vsize = {4096, 8192}, .rss = {                                                                      \
            100,                                                                                             \
            90                                                                                               \
        }                                                                                                    \
    }
#define CALL(number, start, length)                                                                          \
    {                                                                                                        \
        .kind = PROFILE_CALL, .call = (number), .name = "glFlush", .program = 9, .shared = &one, .cpu = {    \
            start,                                                                                           \
            (start) + (length)                                                                               \
        }                                                                                                    \
    }
#define FRAME(time, gpu_time)                                                                                \
    {                                                                                                        \
        .kind = PROFILE_FRAME, .has_gpu = (gpu_time) >= 0, .cpu = {0, time}, .gpu = { 0, gpu_time }          \
    }

static void add_all(struct profile_output *o, const struct profile_record *records, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        o->add(o, &records[i]);
    assert_int_equal(o->close(o), 0);
}
#define ADD_ALL(output, records) add_all(output, records, sizeof(records) / sizeof *(records))

/* --- texts ---------------------------------------------------------------------------------------------- */

static char *text;
static size_t text_size;

static FILE *open_text(void)
{
    return open_memstream(&text, &text_size);
}

static void expect_text(FILE *file, const char *expected)
{
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

/* The most expensive program first: by the GPU's time, the CPU's, and the number. Program 0 is one, whatever
 * its context. */
static void test_programs(void **state)
{
    static const struct profile_record records[] = {
        DRAW(1, 0, 1000, 0, 500, 3, one),  DRAW(2, 0, 1000, 0, 2500, 3, one),
        DRAW(3, 0, 9000, 0, 1000, 3, two), /* another program of this number */
        DRAW(4, 0, 2000, 0, -1, 7, one),   DRAW(5, 0, 2000, 0, -1, 6, one),
        DRAW(6, 0, 3000, 0, -1, 8, one),   DRAW(7, 0, 100, 0, -1, 0, one),
        DRAW(8, 0, 300, 0, -1, 0, two),    CALL(9, 0, 777),
        DRAW(10, 0, 1000, 0, 100, 3, one), DRAW(11, 0, 1000, 0, 100, 3, one),
    };
    (void)state;
    FILE *file = open_text();
    ADD_ALL(profile_programs_open(file), records);
    expect_text(file, "   program      draws       GPU ms  GPU %       CPU ms   slowest draw       its us\n"
                      "         3          4        0.003   76.2        0.004              2          2.5\n"
                      "         3          1        0.001   23.8        0.009              3          1.0\n"
                      "         8          1        0.000    0.0        0.003              6          3.0\n"
                      "         6          1        0.000    0.0        0.002              5          2.0\n"
                      "         7          1        0.000    0.0        0.002              4          2.0\n"
                      "         0          2        0.000    0.0        0.000              8          0.3\n");
    static const struct profile_record shortest[] = {DRAW(1, 0, 0, 0, 1, 3, one)};
    file = open_text();
    ADD_ALL(profile_programs_open(file), shortest);
    expect_text(file, "   program      draws       GPU ms  GPU %       CPU ms   slowest draw       its us\n"
                      "         3          1        0.000  100.0        0.000              1          0.0\n");
    static const struct profile_record short_ones[] = {
        DRAW(1, 0, 0, 0, 1, 3, one),
        DRAW(2, 0, 0, 0, 3, 4, one),
        DRAW(3, 0, 0, 0, 0, 5, one),
    };
    file = open_text();
    ADD_ALL(profile_programs_open(file), short_ones);
    expect_text(file, "   program      draws       GPU ms  GPU %       CPU ms   slowest draw       its us\n"
                      "         4          1        0.000   75.0        0.000              2          0.0\n"
                      "         3          1        0.000   25.0        0.000              1          0.0\n"
                      "         5          1        0.000    0.0        0.000              3          0.0\n");
}

static void test_table(void **state)
{
    static const struct profile_record records[] = {
        CALL(1, 10, 999),
        CALL(2, 20, 1000),
        DRAW(3, 30, 2000, 50, 60, 4, one),
        DRAW(4, 30, 2000, 50, -1, 4, one),
        FRAME(5000, -1),
    };
#define HEAD                                                                                                 \
    "# call no gpu_start gpu_dura cpu_start cpu_dura vsize_start vsize_dura rss_start rss_dura pixels "      \
    "program name\n"
    (void)state;
    struct profile_options cpu = {.cpu = true, .frame_times = true}, gpu = {.gpu = true, .pixels = true},
                           memory = {.memory = true}, none = {.frame_times = true};
    FILE *file = open_text();
    ADD_ALL(profile_table_open(&cpu, file), records);
    expect_text(file,
                HEAD "call 2 0 0 20 1000 0 0 0 0 0 9 glFlush\ncall 3 0 0 30 2000 0 0 0 0 0 4 glDrawArrays\n"
                     "call 4 0 0 30 2000 0 0 0 0 0 4 glDrawArrays\nframe_end\nrendering_finished 5000\n");
    file = open_text();
    ADD_ALL(profile_table_open(&gpu, file), records);
    expect_text(file, HEAD "call 1 0 0 0 0 0 0 0 0 -1 9 glFlush\ncall 2 0 0 0 0 0 0 0 0 -1 9 glFlush\n"
                           "call 3 50 60 0 0 0 0 0 0 5 4 glDrawArrays\n"
                           "call 4 0 0 0 0 0 0 0 0 5 4 glDrawArrays\nframe_end\n");
    file = open_text();
    add_all(profile_table_open(&memory, file), records + 2, 1);
    expect_text(file, HEAD "call 3 0 0 0 0 4096 4096 100 -10 0 4 glDrawArrays\n");
    file = open_text();
    ADD_ALL(profile_table_open(&none, file), records);
    expect_text(file, HEAD "frame_end\nrendering_finished 5000\n");
#undef HEAD
}

static void test_sections(void **state)
{
    static const struct profile_record records[] = {
        CALL(1, 10, 20), DRAW(2, 30, 40, 50, 60, 4, one), FRAME(100, 200), DRAW(3, 31, 41, 51, 61, 4, one),
        FRAME(300, 400),
    };
    const struct profile_options all = {.call_metrics = 1U << METRIC_CPU_DURATION,
                                        .draw_metrics = 1U << METRIC_GPU_DURATION | 1U << METRIC_PIXELS,
                                        .frame_metrics = 1U << METRIC_PIXELS},
                                 draws = {.draw_metrics = 1U << METRIC_CPU_START};
    (void)state;
    FILE *file = open_text();
    ADD_ALL(profile_sections_open(&all, file), records);
    expect_text(file,
                "#\tPixels Drawn\nframe\t5\nframe\t5\n\n"
                "#\tcall no\tprogram\tname\tCPU Duration\ncall\t1\t9\tglFlush\t20\n"
                "call\t2\t4\tglDrawArrays\t40\nframe_end\ncall\t3\t4\tglDrawArrays\t41\nframe_end\n\n"
                "#\tcall no\tprogram\tname\tGPU Duration\tPixels Drawn\ncall\t2\t4\tglDrawArrays\t60\t5\n"
                "frame_end\ncall\t3\t4\tglDrawArrays\t61\t5\nframe_end\n\n");
    file = open_text();
    ADD_ALL(profile_sections_open(&draws, file), records);
    expect_text(file, "#\tcall no\tprogram\tname\tCPU Start\ncall\t2\t4\tglDrawArrays\t30\nframe_end\n"
                      "call\t3\t4\tglDrawArrays\t31\nframe_end\n\n");
}

/* --- slices --------------------------------------------------------------------------------------------- */

static char path[] = "/tmp/test_profile_outputs.XXXXXX";

/* Reads the file without its line ends, and removes it. */
static void read_file(char *out, size_t room)
{
    FILE *file = fopen(path, "rb");
    size_t n = fread(out, 1, room - 1, file);
    out[n] = '\0';
    fclose(file);
    unlink(path);
    for (char *line = out; (line = strchr(line, '\n')) != NULL;)
        memmove(line, line + 1, strlen(line));
}

/* The text is that of the lines, in which ' stands for ". */
static void expect_lines(const char *found, const char *const *lines, size_t count)
{
    char line[200];
    for (size_t i = 0; i < count; ++i) {
        size_t length = strlen(lines[i]);
        assert_true(length < sizeof line);
        for (size_t n = 0; n <= length; ++n)
            line[n] = lines[i][n] == '\'' ? '"' : lines[i][n];
        assert_true(strlen(found) >= length);
        assert_memory_equal(found, line, length);
        found += length;
    }
    assert_string_equal(found, "");
}

/* Writes a trace of the records with a least time of 1000, and expects these lines. */
static void expect_trace(const struct profile_record *records, size_t count, const char *const *lines,
                         size_t line_count)
{
    char found[4096];
    struct profile_output *o;
    assert_int_equal(profile_chrome_open(&o, path, 1000), 0);
    add_all(o, records, count);
    read_file(found, sizeof found);
    expect_lines(found, lines, line_count);
}

/* The first lines of each trace. */
#define TRACE_BEGIN                                                                                          \
    "{'displayTimeUnit':'ns','traceEvents':[",                                                               \
        "{'ph':'M','pid':1,'tid':0,'name':'process_name','args':{'name':'CPU'}},",                           \
        "{'ph':'M','pid':2,'tid':0,'name':'process_name','args':{'name':'GPU'}},"

#define EXPECT_TRACE(records, lines)                                                                         \
    expect_trace(records, sizeof(records) / sizeof *(records), lines, sizeof(lines) / sizeof *(lines))

static const char *const slices[] = {
    TRACE_BEGIN,
    "{'ph':'M','pid':1,'tid':1,'name':'thread_name','args':{'name':'thread 0'}},",
    "{'ph':'B','pid':1,'tid':1,'name':'frame 0','cat':'frame','ts':3.000},",
    "{'ph':'X','pid':1,'tid':1,'name':'glFlush','cat':'call','ts':3.000,'dur':1.000,'args':{'call':2}},",
    "{'ph':'B','pid':1,'tid':1,'name':'group','cat':'group','ts':5.000},",
    "{'ph':'X','pid':1,'tid':1,'name':'glDrawArrays','cat':'draw','ts':6.000,'dur':0.010,'args':{'call':3,'"
    "program':4}},",
    "{'ph':'M','pid':2,'tid':1,'name':'thread_name','args':{'name':'thread 0'}},",
    "{'ph':'B','pid':2,'tid':1,'name':'frame 0','cat':'frame','ts':7.000},",
    "{'ph':'B','pid':2,'tid':1,'name':'group','cat':'group','ts':7.000},",
    "{'ph':'X','pid':2,'tid':1,'name':'glDrawArrays','cat':'draw','ts':7.000,'dur':2.000,'args':{'call':3,'"
    "program':4}},",
    "{'ph':'i','pid':1,'tid':1,'name':'mark','s':'t','ts':6.500},",
    "{'ph':'E','pid':1,'tid':1,'ts':8.001},",
    "{'ph':'E','pid':1,'tid':1,'ts':8.001},",
    "{'ph':'E','pid':2,'tid':1,'ts':9.500},",
    "{'ph':'E','pid':2,'tid':1,'ts':9.500},",
    "{'ph':'B','pid':1,'tid':1,'name':'frame 1','cat':'frame','ts':8.001},",
    "{'ph':'B','pid':1,'tid':1,'name':'group','cat':'group','ts':8.001},",
    "{'ph':'E','pid':1,'tid':1,'ts':9.000},",
    "{'ph':'i','pid':1,'tid':1,'name':'glInsertEventMarkerEXT','s':'t','ts':9.200},",
    "{'ph':'X','pid':1,'tid':1,'name':'?','cat':'window','ts':9.300,'dur':1.000,'args':{'call':5}},",
    "{'ph':'E','pid':1,'tid':1,'ts':10.300}",
    "]}",
};

/* Groups stay open from frame to frame, and a mark is a point of the CPU. Times are microseconds. */
static void test_slices(void **state)
{
    static char group[] = "group", mark[] = "mark";
    static const struct profile_record records[] = {
        CALL(1, 1500, 999), /* too short */
        CALL(2, 3000, 1000),
        {.kind = PROFILE_PUSH, .name = "glPushDebugGroup", .label = group, .cpu = {5000, 5000}},
        DRAW(3, 6000, 10, 7000, 2000, 4, one),
        {.kind = PROFILE_MARK, .name = "glStringMarkerGREMEDY", .label = mark, .cpu = {6500, 6500}},
        FRAME(8001, 9500),
        {.kind = PROFILE_POP, .name = "glPopDebugGroup", .cpu = {9000, 9000}},
        {.kind = PROFILE_POP, .name = "glPopDebugGroup", .cpu = {9100, 9100}},
        {.kind = PROFILE_MARK, .name = "glInsertEventMarkerEXT", .cpu = {9200, 9200}},
        {.kind = PROFILE_WINDOW_CALL, .name = "\xff", .call = 5, .cpu = {9300, 10300}},
    };
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    EXPECT_TRACE(records, slices);
}

/* Groups are nested in each frame that they reach into. Draws that the GPU does not tell of are the CPU's. */
static void test_nested_groups(void **state)
{
    static const char *const lines[] = {
        TRACE_BEGIN,
        "{'ph':'M','pid':1,'tid':3,'name':'thread_name','args':{'name':'thread 2'}},",
        "{'ph':'B','pid':1,'tid':3,'name':'frame 0','cat':'frame','ts':1.000},",
        "{'ph':'B','pid':1,'tid':3,'name':'outer','cat':'group','ts':1.000},",
        "{'ph':'B','pid':1,'tid':3,'name':'inner','cat':'group','ts':2.000},",
        "{'ph':'E','pid':1,'tid':3,'ts':3.000},",
        "{'ph':'E','pid':1,'tid':3,'ts':3.000},",
        "{'ph':'E','pid':1,'tid':3,'ts':3.000},",
        "{'ph':'B','pid':1,'tid':3,'name':'frame 1','cat':'frame','ts':3.000},",
        "{'ph':'B','pid':1,'tid':3,'name':'outer','cat':'group','ts':3.000},",
        "{'ph':'B','pid':1,'tid':3,'name':'inner','cat':'group','ts':3.000},",
        "{'ph':'X','pid':1,'tid':3,'name':'glDrawArrays','cat':'draw','ts':4.000,'dur':1.000,'args':{"
        "'call':3,'program':4}},",
        "{'ph':'X','pid':1,'tid':3,'name':'glDrawArrays','cat':'draw','ts':5.000,'dur':0.000,'args':{"
        "'call':4,'program':4}},", /* it began before the end of the one before */
        "{'ph':'E','pid':1,'tid':3,'ts':5.000},",
        "{'ph':'E','pid':1,'tid':3,'ts':5.000},",
        "{'ph':'E','pid':1,'tid':3,'ts':5.000}",
        "]}",
    };
    static char outer[] = "outer", inner[] = "inner";
    struct profile_record records[] = {
        {.kind = PROFILE_PUSH, .name = "glPushDebugGroup", .label = outer, .cpu = {1000, 1000}},
        {.kind = PROFILE_PUSH, .name = "glPushDebugGroup", .label = inner, .cpu = {2000, 2000}},
        FRAME(3000, -1),
        DRAW(3, 4000, 1000, 0, -1, 4, one),
        DRAW(4, 4500, 100, 0, -1, 4, one),
    };
    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof *records; ++i)
        records[i].thread = 2;
    EXPECT_TRACE(records, lines);
}

/* A group whose clock is late begins when the call before it ends. */
static void test_late_groups(void **state)
{
    static const char *const lines[] = {
        TRACE_BEGIN,
        "{'ph':'M','pid':1,'tid':1,'name':'thread_name','args':{'name':'thread 0'}},",
        "{'ph':'B','pid':1,'tid':1,'name':'frame 0','cat':'frame','ts':1.000},",
        "{'ph':'X','pid':1,'tid':1,'name':'glFlush','cat':'call','ts':1.000,'dur':4.000,'args':{'call':1}},",
        "{'ph':'B','pid':1,'tid':1,'name':'late','cat':'group','ts':5.000},",
        "{'ph':'E','pid':1,'tid':1,'ts':5.000},",
        "{'ph':'E','pid':1,'tid':1,'ts':5.000}",
        "]}",
    };
    static char late[] = "late";
    static const struct profile_record records[] = {
        CALL(1, 1000, 4000),
        {.kind = PROFILE_PUSH, .name = "glPushDebugGroup", .label = late, .cpu = {4500, 4500}},
    };
    (void)state;
    EXPECT_TRACE(records, lines);
}

/* A frame begins with a mark, if that is the first thing in it. */
static void test_marks_alone(void **state)
{
    static const char *const lines[] = {
        TRACE_BEGIN,
        "{'ph':'M','pid':1,'tid':1,'name':'thread_name','args':{'name':'thread 0'}},",
        "{'ph':'B','pid':1,'tid':1,'name':'frame 0','cat':'frame','ts':1.000},",
        "{'ph':'i','pid':1,'tid':1,'name':'mark','s':'t','ts':1.000},",
        "{'ph':'E','pid':1,'tid':1,'ts':2.000},",
        "{'ph':'B','pid':1,'tid':1,'name':'frame 1','cat':'frame','ts':2.000},",
        "{'ph':'i','pid':1,'tid':1,'name':'mark','s':'t','ts':2.500},",
        "{'ph':'E','pid':1,'tid':1,'ts':2.500}",
        "]}",
    };
    static char mark[] = "mark";
    static const struct profile_record records[] = {
        {.kind = PROFILE_MARK, .name = "glStringMarkerGREMEDY", .label = mark, .cpu = {1000, 1000}},
        {.kind = PROFILE_FRAME, .cpu = {2000, 2000}},
        {.kind = PROFILE_MARK, .name = "glStringMarkerGREMEDY", .label = mark, .cpu = {2500, 2500}},
    };
    (void)state;
    EXPECT_TRACE(records, lines);
}

/* Marks are those of their threads. */
static void test_marks_of_threads(void **state)
{
    static const char *const lines[] = {
        TRACE_BEGIN,
        "{'ph':'M','pid':1,'tid':1,'name':'thread_name','args':{'name':'thread 0'}},",
        "{'ph':'B','pid':1,'tid':1,'name':'frame 0','cat':'frame','ts':1.000},",
        "{'ph':'i','pid':1,'tid':1,'name':'mark','s':'t','ts':1.000},",
        "{'ph':'M','pid':1,'tid':6,'name':'thread_name','args':{'name':'thread 5'}},",
        "{'ph':'B','pid':1,'tid':6,'name':'frame 0','cat':'frame','ts':2.000},",
        "{'ph':'i','pid':1,'tid':6,'name':'mark','s':'t','ts':2.000},",
        "{'ph':'E','pid':1,'tid':1,'ts':1.000},",
        "{'ph':'E','pid':1,'tid':6,'ts':2.000}",
        "]}",
    };
    static char mark[] = "mark";
    static const struct profile_record records[] = {
        {.kind = PROFILE_MARK, .name = "glStringMarkerGREMEDY", .label = mark, .cpu = {1000, 1000}},
        {.kind = PROFILE_MARK, .thread = 5, .label = mark, .cpu = {2000, 2000}},
    };
    (void)state;
    EXPECT_TRACE(records, lines);
}

/* Where the GPU is not asked, its groups begin and end after what it has done last. */
static void test_groups_without_times(void **state)
{
    static const char *const lines[] = {
        TRACE_BEGIN,
        "{'ph':'M','pid':1,'tid':1,'name':'thread_name','args':{'name':'thread 0'}},",
        "{'ph':'B','pid':1,'tid':1,'name':'frame 0','cat':'frame','ts':1.000},",
        "{'ph':'X','pid':1,'tid':1,'name':'glDrawArrays','cat':'draw','ts':1.000,'dur':1.000,'args':{"
        "'call':1,'program':4}},",
        "{'ph':'M','pid':2,'tid':1,'name':'thread_name','args':{'name':'thread 0'}},",
        "{'ph':'B','pid':2,'tid':1,'name':'frame 0','cat':'frame','ts':7.000},",
        "{'ph':'X','pid':2,'tid':1,'name':'glDrawArrays','cat':'draw','ts':7.000,'dur':2.000,'args':{"
        "'call':1,'program':4}},",
        "{'ph':'B','pid':1,'tid':1,'name':'group','cat':'group','ts':3.000},",
        "{'ph':'B','pid':2,'tid':1,'name':'group','cat':'group','ts':9.000},",
        "{'ph':'E','pid':1,'tid':1,'ts':4.000},",
        "{'ph':'E','pid':2,'tid':1,'ts':9.000},",
        "{'ph':'E','pid':1,'tid':1,'ts':4.000},",
        "{'ph':'E','pid':2,'tid':1,'ts':9.000}",
        "]}",
    };
    static char group[] = "group";
    static const struct profile_record records[] = {
        DRAW(1, 1000, 1000, 7000, 2000, 4, one),
        {.kind = PROFILE_PUSH,
         .name = "glPushDebugGroup",
         .label = group,
         .cpu = {3000, 3000},
         .gpu = {9200, 9200}},
        {.kind = PROFILE_POP, .name = "glPopDebugGroup", .cpu = {4000, 4000}, .gpu = {9500, 9500}},
    };
    (void)state;
    EXPECT_TRACE(records, lines);
}

/* Long files are written in parts. */
static void test_long_files(void **state)
{
    enum { CALLS = 5000 };
    struct profile_record call = CALL(1, 0, 1);
    struct profile_output *o;
    char *found = malloc(1 << 20);
    unsigned calls = 0;
    (void)state;
    assert_int_equal(profile_chrome_open(&o, path, 0), 0);
    for (call.call = 0; call.call < CALLS; ++call.call)
        o->add(o, &call);
    assert_int_equal(o->close(o), 0);
    read_file(found, 1 << 20);
    for (const char *at = found; (at = strstr(at, "\"args\":{\"call\":")) != NULL; at += 15)
        assert_int_equal(strtoul(at + 15, NULL, 10), calls++);
    assert_int_equal(calls, CALLS);
    assert_memory_equal(found, "{\"displayTimeUnit\":", 19);
    assert_string_equal(found + strlen(found) - 3, "}]}");
    free(found);
}

/* A file that cannot be made, or written to its end, is an error. */
static void test_no_file(void **state)
{
    enum { CALLS = 1000 };
    struct profile_record call = CALL(1, 0, 1);
    struct profile_output *o;
    (void)state;
    assert_int_equal(profile_chrome_open(&o, "/nowhere/at/all", 0), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "/nowhere/at/all: No such file or directory");
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(profile_chrome_open(&o, "/dev/full", 0), 0);
    assert_int_equal(o->close(o), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "/dev/full: No space left on device");
    assert_int_equal(profile_chrome_open(&o, "/dev/full", 0), 0);
    for (call.call = 0; call.call < CALLS; ++call.call)
        o->add(o, &call);
    assert_int_equal(o->close(o), TRACE_ERR_IO);
}

/* Each of these options alone has a table printed. */
static void test_which_outputs(void **state)
{
    static const struct profile_options cases[] = {{.cpu = true},         {.gpu = true},
                                                   {.pixels = true},      {.memory = true},
                                                   {.frame_times = true}, {.list_metrics = true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct profile *p;
        FILE *file = open_text();
        assert_int_equal(profile_open(&p, &cases[i], file), 0);
        assert_int_equal(profile_close(p), 0);
        fclose(file);
        assert_int_equal(strncmp(text, "# call no ", 10) == 0, !cases[i].list_metrics);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_nested_groups),
        cmocka_unit_test(test_late_groups),
        cmocka_unit_test(test_marks_alone),
        cmocka_unit_test(test_marks_of_threads),
        cmocka_unit_test(test_groups_without_times),
        cmocka_unit_test(test_which_outputs),
        cmocka_unit_test(test_long_files),
        cmocka_unit_test(test_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
