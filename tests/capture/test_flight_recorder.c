/* SPDX-License-Identifier: MIT */
/* The flight recorder as its session uses it: records in a ring become events in its memory, and files when
 * they are asked for, by several threads at a time. Also run under the thread sanitizer. */
#include "cmocka_all.h"
#include "collector/flight/flight_recorder.h"
#include "records/record_merger.h"
#include "sample_ring.h"

#include "base/error.h"
#include "formats/apitrace/read/reader.h"
#include "spec_ids.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
    char directory[64];
    struct sample_ring ring;
    struct tick_clock clock;
    struct flight_requests requests;
    struct flight_recorder *recorder;
    unsigned files;
};

static void count_file(void *context, const struct flight_report *report)
{
    struct fixture *f = context;
    assert_true(report->calls > 0);
    f->files++;
}

static int set_up(void **state)
{
    static const struct flight_options options = {.limits.bytes = FLIGHT_MIN_BYTES, .text = "64K"};
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    strcpy(f->directory, "/tmp/test_flight_recorder.XXXXXX");
    if (mkdtemp(f->directory) == NULL || chdir(f->directory) != 0 || sample_ring_open(&f->ring) != 0)
        return -1;
    buf_clear(&f->ring.encoder.out); /* the file has the header */
    f->ring.encoder.stream_size = 0;
    const struct tick_pair early = tick_clock_measure(CAPTURE_CLOCK_MONOTONIC);
    tick_clock_init(&f->clock, CAPTURE_CLOCK_MONOTONIC, &early);
    flight_requests_init(&f->requests);
    const struct flight_setting setting = {.options = &options,
                                           .encoder = &f->ring.encoder,
                                           .clock = &f->clock,
                                           .requests = &f->requests,
                                           .container = TRACE_CONTAINER_SNAPPY,
                                           .level = TRACE_LEVEL_DEFAULT,
                                           .program = "/a/app",
                                           .arguments = "app",
                                           .written = count_file,
                                           .context = f};
    return flight_recorder_new(&f->recorder, &setting);
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    char command[128];
    flight_recorder_free(f->recorder);
    flight_requests_fini(&f->requests);
    sample_ring_close(&f->ring);
    snprintf(command, sizeof command, "rm -rf '%s'", f->directory);
    int rc = chdir("/") != 0 || system(command) != 0;
    free(f);
    return rc;
}

/* --- what the program does -------------------------------------------------------------------------------
 */

static void enter(struct fixture *f, uint16_t function, const uint64_t *words, unsigned count)
{
    sample_ring_append(&f->ring, function, RECORD_ENTER, words, count);
}

static void leave(struct fixture *f, uint16_t function, const uint64_t *result)
{
    sample_ring_append(&f->ring, function, RECORD_LEAVE, result, result != NULL);
}

/* Makes six calls: a name is created and deleted, state is set, and something is drawn. */
static void make_frame(struct fixture *f, uint64_t number)
{
    const uint64_t one = 1, window[2] = {0x1000, 7}, colour[4] = {number & 0xffff, 0, 0, 0}, clear = 0x4000;
    const uint64_t name = 1 + number % 1000, list[2] = {name, 1};
    enter(f, SPEC_FN_glGenLists, &one, 1);
    leave(f, SPEC_FN_glGenLists, &name);
    enter(f, SPEC_FN_glColor4f, colour, 4);
    leave(f, SPEC_FN_glColor4f, NULL);
    enter(f, SPEC_FN_glActiveTexture, &(uint64_t){0x84c0 + number % 2}, 1);
    leave(f, SPEC_FN_glActiveTexture, NULL);
    enter(f, SPEC_FN_glClear, &clear, 1);
    leave(f, SPEC_FN_glClear, NULL);
    enter(f, SPEC_FN_glDeleteLists, list, 2);
    leave(f, SPEC_FN_glDeleteLists, NULL);
    enter(f, SPEC_FN_glXSwapBuffers, window, 2);
    leave(f, SPEC_FN_glXSwapBuffers, NULL);
}

/* Does what a session does with new records. */
static void take(struct fixture *f)
{
    struct buf *out = &f->ring.encoder.out;
    sample_ring_drain(&f->ring);
    assert_int_equal(flight_recorder_append(f->recorder, out->data, out->len), 0);
    buf_clear(out);
}

static void serve(struct fixture *f)
{
    enum flight_moment at;
    struct buf open = BUF_INIT;
    if (!flight_recorder_is_due(f->recorder, &at))
        return;
    assert_int_equal(record_merger_list_open(&f->ring.merger, &open), 0);
    flight_recorder_dump(f->recorder, &open);
    buf_fini(&open);
}

/* Returns the name of the file that the request was written to. Lent until the next call. */
static const char *wait_for(struct fixture *f, uint64_t request)
{
    static char path[4096];
    bool failed;
    while (!flight_requests_answered(&f->requests, request, path, sizeof path, &failed)) {
        serve(f);
        usleep(1000);
    }
    assert_false(failed);
    return path;
}

/* --- what is in a file -----------------------------------------------------------------------------------
 */

struct contents {
    unsigned calls, frames, incomplete, lists;
    const char *last; /* name of the last call */
};

static struct contents read_file(const char *path)
{
    struct contents c = {.last = ""};
    struct trace_reader *r;
    const struct trace_call *call;
    static char last[64];
    assert_int_equal(trace_reader_open(&r, path), 0);
    while (trace_reader_next_call(r, &call) == 0 && call != NULL) {
        c.calls++;
        c.frames += strcmp(call->sig->name, "glXSwapBuffers") == 0;
        c.lists += strcmp(call->sig->name, "glGenLists") == 0;
        c.incomplete += (call->flags & TRACE_CALL_INCOMPLETE) != 0;
        snprintf(last, sizeof last, "%s", call->sig->name);
        trace_call_release(r, call);
    }
    trace_reader_close(r);
    c.last = last;
    return c;
}

/* --- tests -----------------------------------------------------------------------------------------------
 */

static void test_each_has_a_file(void **state)
{
    struct fixture *f = *state;
    uint64_t requests[8];
    char names[8][64];
    make_frame(f, 0);
    take(f);
    for (unsigned i = 0; i < 8; ++i)
        requests[i] = flight_requests_add(&f->requests, FLIGHT_CALLED, "a test");
    for (unsigned i = 0; i < 8; ++i) {
        snprintf(names[i], sizeof names[i], "%s", wait_for(f, requests[i]));
        assert_int_equal(read_file(names[i]).calls, 6);
        for (unsigned k = 0; k < i; ++k)
            assert_string_not_equal(names[i], names[k]);
    }
    assert_string_equal(wait_for(f, requests[3]), names[3]);
    flight_recorder_finish(f->recorder, "the end", NULL); /* nothing new is written */
    assert_int_equal(f->files, 8);
}

/* Markers and slow frames may cause a request in each frame. */
static void test_automatic_requests_are_merged(void **state)
{
    struct fixture *f = *state;
    make_frame(f, 0);
    take(f);
    uint64_t first = flight_requests_add(&f->requests, FLIGHT_APPENDED, "a marker");
    assert_int_equal(flight_requests_add(&f->requests, FLIGHT_APPENDED, "a marker"), first);
    uint64_t second = flight_requests_add(&f->requests, FLIGHT_CALLED, "a test");
    assert_true(second > first);
    for (unsigned i = 0; i < 2 * FLIGHT_REQUESTS; ++i) /* more than the queue can hold */
        assert_true(flight_requests_add(&f->requests, FLIGHT_CALLED, "a test") > first);
    flight_recorder_finish(f->recorder, "the end", NULL);
    assert_int_equal(f->files, FLIGHT_REQUESTS);
    assert_int_equal(flight_requests_add(&f->requests, FLIGHT_CALLED, "too late"), 0);
}

/* Without the result, apitrace's replay would crash. The numbers of later calls have no gap. */
static void test_open_calls_with_results_are_left_out(void **state)
{
    struct fixture *f = *state;
    const uint64_t two = 2, window[2] = {0x1000, 7};
    make_frame(f, 0);
    enter(f, SPEC_FN_glGenLists, &two, 1); /* the debug callback draws within this call */
    make_frame(f, 1);
    enter(f, SPEC_FN_glXSwapBuffers, window, 2);
    take(f);
    const char *name = wait_for(f, flight_requests_add(&f->requests, FLIGHT_CALLED, "a test"));
    struct contents c = read_file(name);
    assert_int_equal(c.calls, 13);
    assert_int_equal(c.lists, 2);
    assert_int_equal(c.incomplete, 1);
    assert_string_equal(c.last, "glXSwapBuffers");
    leave(f, SPEC_FN_glXSwapBuffers, NULL);
    leave(f, SPEC_FN_glGenLists, &two);
    make_frame(f, 2);
    enter(f, SPEC_FN_glGenLists, &two, 1);
    take(f);
    flight_recorder_finish(f->recorder, "a crash", NULL);
    c = read_file("app.1.trace");
    assert_int_equal(c.calls, 21);
    assert_int_equal(c.incomplete, 1);
    assert_string_equal(c.last, "glGenLists");
}

static void *ask_and_wait(void *argument)
{
    struct fixture *f = argument;
    char path[4096];
    bool failed = false;
    for (unsigned i = 0; i < 5; ++i) {
        uint64_t request = flight_requests_add(&f->requests, FLIGHT_CALLED, "a thread");
        while (!flight_requests_answered(&f->requests, request, path, sizeof path, &failed))
            usleep(500);
        if (failed || path[0] == '\0')
            return f;
    }
    return NULL;
}

static void test_requests_of_threads(void **state)
{
    struct fixture *f = *state;
    pthread_t threads[4];
    make_frame(f, 0);
    take(f);
    for (unsigned i = 0; i < 4; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_and_wait, f), 0);
    for (uint64_t frame = 1; flight_requests_add(&f->requests, FLIGHT_APPENDED, "") < 41 && frame < 100000;
         ++frame) {
        for (unsigned i = 0; i < 20; ++i)
            make_frame(f, frame);
        take(f);
        serve(f);
    }
    flight_recorder_finish(f->recorder, "the end", NULL);
    for (unsigned i = 0; i < 4; ++i) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_null(result);
    }
    assert_true(f->files >= 20);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTS_MEMORY 0
#else
#define COUNTS_MEMORY 1
#endif

static size_t used_memory(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void record_frames(struct fixture *f, uint64_t count)
{
    for (uint64_t frame = 0; frame < count; ++frame) {
        make_frame(f, frame);
        if (frame % 100 == 99)
            take(f);
    }
    take(f);
}

/* The amount of memory depends on how far the compressing thread is. */
static void test_memory_does_not_grow(void **state)
{
    struct fixture *f = *state;
    if (!COUNTS_MEMORY)
        skip();
    record_frames(f, 20000);
    size_t before = used_memory();
    record_frames(f, 500000);
    size_t after = used_memory();
    if (after > before + (512 << 10))
        print_message("grew from %zu to %zu bytes in 3 million calls\n", before, after);
    assert_true(after <= before + (512 << 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_has_a_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_automatic_requests_are_merged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_open_calls_with_results_are_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_requests_of_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory_does_not_grow, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
