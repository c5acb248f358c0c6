/* SPDX-License-Identifier: MIT
 * Tests how many calls are read ahead at a time: fewer, if their values are large, and as many plain ones as
 * there is room for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "call_queue.h"
#include "stub_gl.h"

enum { CALL_BYTES = 1024 }; /* that a call takes at least */

static const struct replay_options whole = {.verbose = true}; /* no call is a plain one */
static const struct replay_options plain;

static struct call_queue *open_queue_with(struct replayer *r, const struct replay_options *options,
                                          const char *text, bool threaded)
{
    char path[40];
    int fd = memfd_create("calls.trace", MFD_CLOEXEC);
    struct trace_reader *reader;
    struct call_queue *queue;
    stub_gl_write_chunks(fd, text, 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assert_int_equal(trace_reader_open(&reader, path), 0);
    close(fd);
    assert_int_equal(replayer_init(r, options, &stub_windows, reader), 0);
    assert_int_equal(call_queue_start(&queue, r, threaded), 0);
    return queue;
}

static struct call_queue *open_queue(struct replayer *r, const char *text, bool threaded)
{
    return open_queue_with(r, &whole, text, threaded);
}

static void close_queue(struct replayer *r, struct call_queue *queue)
{
    struct trace_reader *reader = r->reader;
    call_queue_stop(queue);
    replayer_fini(r);
    trace_reader_close(reader);
}

/* Returns how many calls are in the first batch. */
static unsigned count_first(const char *text)
{
    struct replayer r;
    struct call_queue *queue = open_queue(&r, text, false);
    const struct ready_call *first;
    const struct trace_call *next;
    assert_int_equal(call_queue_next(queue, &first), 0);
    assert_int_equal(trace_reader_next_call(r.reader, &next), 0);
    assert_non_null(next);
    unsigned count = (unsigned)next->number;
    trace_call_release(r.reader, next);
    close_queue(&r, queue);
    return count;
}

/* Each call takes some memory, also if it has no arguments. Returns how many bytes a batch has. */
static size_t find_batch_size(void)
{
    enum { CALLS = 300, MOST = 256 };
    char text[CALLS * 6 + 1] = "";
    for (int i = 0; i < CALLS; ++i)
        memcpy(text + 6 * i, "small\n", 7);
    unsigned count = count_first(text);
    assert_in_range(count, 2, MOST - 1);
    return count * (size_t)CALL_BYTES;
}

/* Makes a call whose first argument is the prefix, `count` times the item, and the end; small ones follow. */
static char *make_calls(const char *prefix, const char *item, size_t count, const char *end)
{
    size_t length = strlen(item);
    char *text = malloc(length * count + 200), *p = text;
    assert_non_null(text);
    p += sprintf(p, "large data=%s", prefix);
    for (size_t i = 0; i < count; ++i, p += length)
        memcpy(p, item, length);
    sprintf(p, "%s other=1\nsmall\nsmall\nsmall\n", end);
    return text;
}

static void test_large_values(void **state)
{
    static const struct {
        const char *prefix, *item, *end;
        size_t size; /* of an item */
        size_t more; /* items in prefix and end */
    } kinds[] = {
        {"\"", "a", "\"", 1, 0},
        {"#", "a", "", 1, 0},
        {"[", "1,", "1]", sizeof(uint64_t), 1},
        {"[", "1.5,", "1.5]", sizeof(uint64_t), 1},
        {"[", "null,", "null]", sizeof(struct trace_value), 1},
    };
    (void)state;
    size_t room = find_batch_size() - CALL_BYTES;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        size_t full = (room + kinds[i].size - 1) / kinds[i].size - kinds[i].more;
        char *text = make_calls(kinds[i].prefix, kinds[i].item, full, kinds[i].end);
        assert_int_equal(count_first(text), 1);
        free(text);
        text = make_calls(kinds[i].prefix, kinds[i].item, full - 1, kinds[i].end);
        assert_int_equal(count_first(text), 2);
        free(text);
    }
}

/* Reading may pause while the ends of such frames are replayed; it goes on, and all calls come in order. */
static void test_frames_of_blobs(void **state)
{
    enum { FRAMES = 40, BLOBS = 6, BLOB = 120000 };
    (void)state;
    char *text = malloc(FRAMES * (BLOBS * (BLOB + 20) + 40)), *p = text;
    assert_non_null(text);
    for (int i = 0; i < FRAMES * BLOBS; ++i) {
        p += sprintf(p, "large data=#");
        memset(p, 'a', BLOB);
        p += BLOB;
        p += sprintf(p, (i + 1) % BLOBS == 0 ? "\nglXSwapBuffers dpy=0x10 drawable=77\n" : "\n");
    }
    struct replayer r;
    struct call_queue *queue = open_queue(&r, text, true);
    free(text);
    const struct ready_call *call;
    uint64_t calls = 0, frames = 0;
    for (; call_queue_next(queue, &call) == 0 && call != NULL; ++calls) {
        assert_int_equal(call->number, calls);
        if ((call->flags & TRACE_CALL_END_FRAME) == 0)
            continue;
        ++frames;
        usleep(2000);
    }
    assert_int_equal(frames, FRAMES);
    assert_int_equal(calls, FRAMES * (BLOBS + 1));
    close_queue(&r, queue);
}

/* However plain calls are divided into runs, all of them come in order: one long run, or a run for each call
 * because their threads differ. */
static void test_plain_calls(void **state)
{
    enum { CALLS = 3000 };
    static char text[CALLS * 40];
    (void)state;
    for (int i = 0; i < 4; ++i) {
        char *p = text;
        for (int k = 0; k < CALLS; ++k)
            p += sprintf(p, "@%d glVertex2f x=1.5 y=2.5\n", i % 2 == 0 ? 0 : k % 2);
        struct replayer r;
        struct call_queue *queue = open_queue_with(&r, &plain, text, i < 2);
        const struct ready_call *call;
        uint64_t calls = 0, runs = 0, others = 0;
        for (; call_queue_next(queue, &call) == 0 && call != NULL; ++runs) {
            assert_int_equal(call->number, calls);
            assert_int_equal(call->thread, i % 2 == 0 ? 0 : calls % 2);
            calls += call->call == NULL ? call->plain.count : 1;
            others += call->call != NULL;
        }
        assert_int_equal(calls, CALLS);
        assert_in_range(others, 0, CALLS / 100); /* the first ones of chunks are not plain */
        if (i % 2 == 0)
            assert_in_range(runs, 2, CALLS / 10);
        else
            assert_int_equal(runs, CALLS);
        close_queue(&r, queue);
    }
}

/* The replay may end while reading waits: for room, or for the end of a frame. */
static void test_ends_while_reading_waits(void **state)
{
    enum { CALLS = 3000, BLOBS = 40, BLOB = 120000 };
    static char text[BLOBS * (BLOB + 20) + 100];
    (void)state;
    for (int i = 0; i < 2; ++i) {
        char *p = text;
        if (i == 1)
            p += sprintf(p, "glXSwapBuffers dpy=0x10 drawable=77\n");
        for (int k = 0; i == 0 && k < CALLS; ++k)
            p += sprintf(p, "small\n");
        for (int k = 0; i == 1 && k < BLOBS; ++k) {
            p += sprintf(p, "large data=#");
            memset(p, 'a', BLOB);
            p += BLOB;
            p += sprintf(p, "\n");
        }
        struct replayer r;
        struct call_queue *queue = open_queue(&r, text, true);
        const struct ready_call *call;
        assert_int_equal(call_queue_next(queue, &call), 0);
        assert_int_equal(call->number, 0);
        usleep(100000);
        close_queue(&r, queue);
    }
}

/* Returns how many calls it is, whose first arguments are their numbers. */
static uint64_t check_part(const struct trace_plain_part *part)
{
    const struct trace_plain_run *run = part->first;
    for (uint64_t number = part->number; number < part->number + part->count; run = trace_plain_run_next(run))
        for (uint32_t i = 0; i < run->count; ++i, ++number) {
            int32_t x;
            memcpy(&x, trace_plain_run_args(run, i), sizeof x);
            assert_int_equal(x, number);
        }
    return part->count;
}

/* A batch has room for so many plain calls, whichever other calls are between them. */
static void test_many_plain_calls(void **state)
{
    enum { CALLS = 20000 };
    (void)state;
    char *text = malloc(CALLS * 32), *p = text;
    assert_non_null(text);
    for (int i = 0; i < CALLS; ++i)
        p += i % 3000 == 100 ? sprintf(p, "small\n") : sprintf(p, "glVertex2i x=%d y=0\n", i);
    struct replayer r;
    struct call_queue *queue = open_queue_with(&r, &plain, text, false);
    free(text);
    const struct ready_call *ready;
    uint64_t calls = 0, parts = 0;
    while (call_queue_next(queue, &ready) == 0 && ready != NULL) {
        assert_int_equal(ready->number, calls);
        calls += ready->call == NULL ? check_part(&ready->plain) : 1;
        parts += ready->call == NULL;
    }
    assert_int_equal(calls, CALLS);
    assert_in_range(parts, CALLS / 3000, CALLS / 100);
    close_queue(&r, queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_values),     cmocka_unit_test(test_frames_of_blobs),
        cmocka_unit_test(test_plain_calls),      cmocka_unit_test(test_ends_while_reading_waits),
        cmocka_unit_test(test_many_plain_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
