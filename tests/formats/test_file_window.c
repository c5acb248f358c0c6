/* SPDX-License-Identifier: MIT
 * Tests windows that move through a file of several blocks, and the thread that reads blocks ahead.
 */
#include "formats/shared/file_window.h"

#include "base/error.h"
#include "base/processors.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define BYTES ((size_t)9 << 20)

struct log {
    struct sample_file sample;
    struct trace_file file;
    uint8_t *bytes;
    size_t size;
};

static void open_log(struct log *l, size_t size)
{
    l->size = size;
    l->bytes = sample_bytes(size);
    sample_file_open(&l->sample);
    sample_file_set(&l->sample, l->bytes, size);
    assert_int_equal(trace_file_open(&l->file, l->sample.path), 0);
}

static void close_log(struct log *l)
{
    trace_file_close(&l->file);
    sample_file_close(&l->sample);
    free(l->bytes);
}

/* Expects at least count bytes at offset, or all that are left in the file. */
static void expect(struct log *l, struct file_window *w, uint64_t offset, size_t count)
{
    const uint8_t *bytes;
    size_t got;
    size_t rest = offset < l->size ? l->size - (size_t)offset : 0;
    assert_int_equal(file_window_get(w, offset, count, &bytes, &got), 0);
    assert_in_range(got, count < rest ? count : rest, rest);
    assert_memory_equal(bytes, l->bytes + (offset < l->size ? offset : 0), got < count ? got : count);
}

/* Reads the whole file, `look` bytes at a time, in steps of `step` bytes. */
static void walk(struct log *l, size_t look, size_t step)
{
    struct file_window w;
    bool was_ahead = false;
    file_window_init(&w, &l->file);
    for (uint64_t at = 0; at < l->size + 2 * step; at += step) {
        expect(l, &w, at, look);
        was_ahead |= w.ahead != NULL;
    }
    assert_int_equal(was_ahead, processor_count() > 1);
    file_window_fini(&w);
}

static void test_walk(void **state)
{
    (void)state;
    for (size_t extra = 0; extra < 3; ++extra) {
        struct log l;
        open_log(&l, BYTES + extra * 777);
        walk(&l, 100, 61);
        walk(&l, READ_AHEAD_SPACE - 1, 50000);
        walk(&l, READ_AHEAD_SPACE + 1, 60001); /* keeps more than fits before a block */
        walk(&l, READ_AHEAD_BLOCK + 5, READ_AHEAD_BLOCK - 3);
        walk(&l, 3 * READ_AHEAD_BLOCK, 3 * READ_AHEAD_BLOCK);
        close_log(&l);
    }
}

/* Moves back and forth while blocks are read ahead. */
static void test_jumps(void **state)
{
    (void)state;
    struct log l;
    struct file_window w;
    open_log(&l, BYTES);
    file_window_init(&w, &l.file);
    for (uint64_t i = 0; i < 3000; ++i) {
        uint64_t at = i * 5000 % (BYTES / 2);
        expect(&l, &w, at, 6000);
        if (i % 700 == 699)
            expect(&l, &w, at + BYTES / 3, 10);
        if (i % 900 == 899)
            expect(&l, &w, at / 2, 70000);
    }
    expect(&l, &w, BYTES - 5, 10);
    expect(&l, &w, BYTES + 5, 10);
    expect(&l, &w, 0, 10);
    file_window_fini(&w);
    close_log(&l);
}

/* Small files are read without a thread. */
static void test_small_file(void **state)
{
    (void)state;
    struct log l;
    struct file_window w;
    open_log(&l, (size_t)3 << 20);
    file_window_init(&w, &l.file);
    for (uint64_t at = 0; at < l.size; at += 1000) {
        expect(&l, &w, at, 1000);
        assert_null(w.ahead);
    }
    file_window_fini(&w);
    close_log(&l);
}

/* Blocks have writable space before them, and the end is returned repeatedly. */
static void test_blocks(void **state)
{
    (void)state;
    struct log l;
    uint8_t *bytes;
    size_t got;
    open_log(&l, 7 * READ_AHEAD_BLOCK);
    struct read_ahead *a = read_ahead_start(&l.file, READ_AHEAD_BLOCK);
    assert_non_null(a);
    for (size_t i = 1; i < 7; ++i) {
        assert_int_equal(read_ahead_next(a, &bytes, &got), 0);
        assert_int_equal(got, READ_AHEAD_BLOCK);
        assert_memory_equal(bytes, l.bytes + i * READ_AHEAD_BLOCK, got);
        memset(bytes - READ_AHEAD_SPACE, 1, READ_AHEAD_SPACE);
    }
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(read_ahead_next(a, &bytes, &got), 0);
        assert_int_equal(got, 0);
    }
    read_ahead_stop(a);
    read_ahead_stop(NULL);
    close_log(&l);
}

static void test_read_error(void **state)
{
    (void)state;
    struct trace_file unreadable = {.fd = open("/dev/null", O_WRONLY | O_CLOEXEC), .size = BYTES};
    uint8_t *bytes;
    size_t got;
    struct read_ahead *a = read_ahead_start(&unreadable, 0);
    assert_non_null(a);
    for (int i = 0; i < 2; ++i) {
        trace_error_set(TRACE_ERR_USAGE, "another error");
        assert_int_equal(read_ahead_next(a, &bytes, &got), TRACE_ERR_IO);
        assert_string_not_equal(trace_error_message(), "another error");
    }
    read_ahead_stop(a);
    close(unreadable.fd);
}

/* Opens a pipe that contains these bytes. */
static void open_pipe(struct trace_file *file, const uint8_t *bytes, size_t count)
{
    char path[40];
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(write(ends[1], bytes, count), count);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    assert_int_equal(trace_file_open(file, path), 0);
    assert_true(file->is_pipe);
    close(ends[0]);
    close(ends[1]);
}

static void test_pipe(void **state)
{
    static const uint8_t bytes[20000] = {7, [19999] = 8};
    uint8_t found[sizeof bytes + 1];
    struct trace_file file;
    size_t got;
    (void)state;
    open_pipe(&file, bytes, sizeof bytes);
    assert_int_equal(file_window_make_seekable(&file), 0);
    assert_false(file.is_pipe);
    assert_int_equal(trace_file_read_at(&file, 0, found, sizeof found, &got), 0);
    assert_int_equal(got, sizeof bytes);
    assert_memory_equal(found, bytes, got);
    trace_file_close(&file);
}

/* The file system of temporary files is full, or there is none. */
static void test_pipe_without_room(void **state)
{
    static const uint8_t bytes[20000] = {7};
    struct rlimit usual, limit;
    struct trace_file file;
    (void)state;
    open_pipe(&file, bytes, sizeof bytes);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    limit = (struct rlimit){4096, usual.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    int rc = file_window_make_seekable(&file);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    assert_int_equal(rc, TRACE_ERR_IO);
    assert_non_null(strstr(trace_error_message(), "cannot write a temporary file"));
    trace_file_close(&file);

    open_pipe(&file, bytes, sizeof bytes);
    assert_int_equal(setenv("TMPDIR", "/nowhere", 1), 0);
    assert_int_equal(file_window_make_seekable(&file), TRACE_ERR_IO);
    assert_non_null(strstr(trace_error_message(), "cannot create a temporary file"));
    assert_int_equal(unsetenv("TMPDIR"), 0);
    trace_file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_small_file),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_read_error),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_pipe_without_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
