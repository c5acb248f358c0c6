/* SPDX-License-Identifier: MIT
 * Tests the queries of a profile on a driver with some of their functions: what it is found to have, which
 * queries are made, reused and deleted, and their results.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "failing_memory.h"
#include "gpu_driver.h"
#include "profile/profile.h"

static void enter(struct gpu_queries *q, bool is_es)
{
    gpu_queries_enter(q, is_es, get_proc, &is_es);
}

static void test_what_a_driver_has(void **state)
{
    static const struct {
        const char *lacks;
        GLenum unknown;
        bool is_es, times, elapsed, samples;
    } cases[] = {
        {NULL, 0, false, true, true, true},
        {NULL, 0, true, true, true, false},
        {NULL, GL_TIMESTAMP, false, false, true, true},
        {NULL, GL_TIME_ELAPSED, false, true, false, true},
        {NULL, GL_SAMPLES_PASSED, false, true, true, false},
        {"glGenQueries", 0, false, false, false, false},
        {"glDeleteQueries", 0, false, false, false, false},
        {"glGetQueryiv", 0, false, false, false, false},
        {"glGetQueryObjectuiv", 0, false, false, false, false},
        {"glGetQueryObjectui64v", 0, false, false, false, true},
        {"glBeginQuery", 0, false, true, false, false},
        {"glEndQuery", 0, false, true, false, false},
        {"glQueryCounter", 0, false, false, true, true},
        {"glGetInteger64v", 0, false, false, true, true},
        {"glQueryCounterEXT", 0, true, false, true, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct gpu_queries q;
        memset(&driver, 0, sizeof driver);
        driver.lacks = cases[i].lacks;
        driver.unknown = cases[i].unknown;
        enter(&q, cases[i].is_es);
        if (q.has_times != cases[i].times || q.has_elapsed != cases[i].elapsed ||
            q.has_samples != cases[i].samples)
            fail_msg("%zu: %d %d %d", i, q.has_times, q.has_elapsed, q.has_samples);
        assert_int_equal(gpu_queries_stamp(&q) != 0, cases[i].times);
        assert_int_equal(gpu_queries_begin(&q, GL_TIME_ELAPSED) != 0, cases[i].elapsed);
        assert_int_equal(gpu_queries_begin(&q, GL_SAMPLES_PASSED) != 0, cases[i].samples);
        gpu_queries_leave(&q);
    }
}

/* Names of stamps are used again, and those of other queries are not. */
static void test_names(void **state)
{
    struct gpu_queries q;
    (void)state;
    memset(&driver, 0, sizeof driver);
    enter(&q, false);
    assert_int_equal(gpu_queries_stamp(&q), 1);
    assert_int_equal(gpu_queries_stamp(&q), 2);
    assert_int_equal(gpu_queries_begin(&q, GL_SAMPLES_PASSED), 3);
    gpu_queries_end(&q, GL_SAMPLES_PASSED);
    gpu_queries_take(&q, 3);
    gpu_queries_take_stamp(&q, 1);
    assert_int_equal(gpu_queries_begin(&q, GL_TIME_ELAPSED), 4);
    assert_int_equal(gpu_queries_stamp(&q), 1);
    gpu_queries_take_stamp(&q, 2);
    gpu_queries_leave(&q);
    assert_string_equal(driver.log,
                        "stamp 1, 0x8e28\nstamp 2, 0x8e28\nbegin 0x8914, 3\nend 0x8914\ndelete 3\n"
                        "begin 0x88bf, 4\nstamp 1, 0x8e28\ndelete 2\n");
    assert_false(q.has_times);
}

/* Without a name, nothing is asked. */
static void test_no_names(void **state)
{
    struct gpu_queries q;
    (void)state;
    memset(&driver, 0, sizeof driver);
    driver.gives_no_names = true;
    enter(&q, false);
    assert_int_equal(gpu_queries_stamp(&q), 0);
    assert_int_equal(gpu_queries_begin(&q, GL_TIME_ELAPSED), 0);
    assert_int_equal(gpu_queries_begin(&q, GL_SAMPLES_PASSED), 0);
    gpu_queries_leave(&q);
    assert_string_equal(driver.log, "");
}

/* The program's own query of a target stays alone; any samples are samples, too. */
static void test_queries_of_the_program(void **state)
{
    static const struct {
        GLenum occupied;
        bool elapsed, samples;
    } cases[] = {{0, true, true},
                 {GL_TIME_ELAPSED, false, true},
                 {GL_SAMPLES_PASSED, true, false},
                 {GL_ANY_SAMPLES_PASSED, true, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct gpu_queries q;
        memset(&driver, 0, sizeof driver);
        driver.occupied = cases[i].occupied;
        enter(&q, false);
        assert_int_equal(gpu_queries_begin(&q, GL_TIME_ELAPSED) != 0, cases[i].elapsed);
        assert_int_equal(gpu_queries_begin(&q, GL_SAMPLES_PASSED) != 0, cases[i].samples);
        gpu_queries_leave(&q);
    }
}

static void test_results(void **state)
{
    struct gpu_queries q;
    (void)state;
    memset(&driver, 0, sizeof driver);
    driver.result = 5000000123;
    driver.ahead = 5000000000;
    enter(&q, false);
    assert_in_range(q.offset, 5000000000 - 1000000000, 5000000000 + 1000000000);
    q.offset = 5000000000;
    assert_int_equal(gpu_queries_take_stamp(&q, 1), 123);
    assert_int_equal(gpu_queries_take(&q, 2), 5000000123);
    assert_false(gpu_queries_ready(&q, 1));
    driver.is_ready = true;
    assert_true(gpu_queries_ready(&q, 1));
    gpu_queries_leave(&q);
    driver.lacks = "glGetQueryObjectui64v";
    driver.result = 300;
    enter(&q, false);
    assert_int_equal(gpu_queries_take(&q, 2), 300);
    gpu_queries_leave(&q);
}

static void test_disjoint_times(void **state)
{
    struct gpu_queries q;
    (void)state;
    memset(&driver, 0, sizeof driver);
    enter(&q, true);
    assert_false(gpu_queries_disjoint(&q));
    driver.disjoint = 1;
    assert_true(gpu_queries_disjoint(&q));
    q.has_times = false;
    assert_true(gpu_queries_disjoint(&q));
    q.has_elapsed = false;
    assert_false(gpu_queries_disjoint(&q));
    enter(&q, false);
    assert_false(gpu_queries_disjoint(&q));
    driver.lacks = "glGetIntegerv";
    enter(&q, true);
    assert_false(gpu_queries_disjoint(&q));
}

/* What the driver does not answer is 0. */
static void test_no_answers(void **state)
{
    static const char *const functions[] = {NULL, "glGetQueryObjectui64v"};
    struct gpu_queries q;
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        memset(&driver, 0, sizeof driver);
        driver.lacks = functions[i];
        driver.result = 7;
        driver.is_ready = true;
        driver.occupied = GL_SAMPLES_PASSED;
        enter(&q, false);
        driver.is_silent = true;
        assert_int_equal(gpu_queries_take(&q, 1), 0);
        assert_false(gpu_queries_ready(&q, 1));
        assert_int_not_equal(gpu_queries_begin(&q, GL_SAMPLES_PASSED), 0);
        gpu_queries_leave(&q);
    }
    memset(&driver, 0, sizeof driver);
    driver.disjoint = 1;
    enter(&q, true);
    driver.is_silent = true;
    assert_false(gpu_queries_disjoint(&q));
    gpu_queries_leave(&q);
}

/* Names for which there is no memory are deleted. */
static void test_no_memory(void **state)
{
    struct gpu_queries q;
    bool has_failed;
    (void)state;
    memset(&driver, 0, sizeof driver);
    enter(&q, false);
    GLuint query = gpu_queries_stamp(&q);
    failing_memory_begin(1);
    gpu_queries_take_stamp(&q, query);
    assert_int_equal(failing_memory_end(&has_failed), 0);
    assert_true(has_failed);
    assert_string_equal(driver.log, "stamp 1, 0x8e28\ndelete 1\n");
    gpu_queries_take_stamp(&q, gpu_queries_stamp(&q));
    driver.log[0] = '\0';
    gpu_queries_leave(&q);
    assert_string_equal(driver.log, "delete 2\n");
    assert_null(q.unused);
}

/* --- times of calls ------------------------------------------------------------------------------------- */

/* Replays two draws. Returns their starts and durations on the GPU. */
static void measure(const GLuint64 *results, long long start[2], long long duration[2])
{
    static const struct profile_options options = {.gpu = true};
    static const struct profile_record draw = {.kind = PROFILE_CALL, .is_draw = true, .name = "glDrawArrays"};
    char *text;
    size_t size;
    bool is_es = false;
    struct profile *p;
    FILE *file = open_memstream(&text, &size);
    driver.results = results;
    driver.is_ready = true;
    assert_int_equal(profile_open(&p, &options, file), 0);
    profile_enter(p, is_es, get_proc, &is_es);
    for (int i = 0; i < 2; ++i) {
        profile_begin_call(p, &draw);
        profile_end_call(p);
    }
    profile_leave(p, true);
    assert_int_equal(profile_close(p), 0);
    fclose(file);
    const char *line = text;
    for (int i = 0; i < 2; ++i) {
        line = strchr(line, '\n') + 1;
        assert_int_equal(sscanf(line, "call 0 %lld %lld", &start[i], &duration[i]), 2);
    }
    free(text);
}

/* A time is not negative, even if the GPU's clock is. */
static void test_stamps_of_calls(void **state)
{
    static const GLuint64 results[] = {7000, 6500, 8000, 8600, 0, 0};
    long long start[2], duration[2];
    (void)state;
    memset(&driver, 0, sizeof driver);
    measure(results, start, duration);
    assert_int_equal(duration[0], 0);
    assert_int_equal(duration[1], 600);
    assert_int_equal(start[1] - start[0], 1000);
}

/* With durations only, the GPU takes one draw after the other. */
static void test_durations_of_calls(void **state)
{
    static const GLuint64 results[] = {1000000000000, 7000, 0, 0};
    long long start[2], duration[2];
    (void)state;
    memset(&driver, 0, sizeof driver);
    driver.unknown = GL_TIMESTAMP;
    measure(results, start, duration);
    assert_int_equal(duration[0], 1000000000000);
    assert_int_equal(duration[1], 7000);
    assert_int_equal(start[1] - start[0], 1000000000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_driver_has),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_queries_of_the_program),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_disjoint_times),
        cmocka_unit_test(test_stamps_of_calls),
        cmocka_unit_test(test_durations_of_calls),
        cmocka_unit_test(test_no_names),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_no_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
