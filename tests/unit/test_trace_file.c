/* SPDX-License-Identifier: MIT
 * Tests reading bytes of a file by offset: as many as there are, only forwards from a pipe, and errors.
 */
#include "base/error.h"
#include "trace/trace_file.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES 20000u

static uint8_t contents[BYTES];

static void expect_bytes(struct trace_file *f, uint64_t offset, size_t count, size_t wanted)
{
    uint8_t bytes[BYTES + 1];
    size_t got;
    assert_int_equal(trace_file_read_at(f, offset, bytes, count, &got), 0);
    assert_int_equal(got, wanted);
    if (wanted > 0)
        assert_memory_equal(bytes, contents + offset, wanted);
}

static void test_regular_file(void **state)
{
    struct sample_file sample;
    struct trace_file f;
    struct buf bytes = BUF_INIT;
    (void)state;
    sample_file_open(&sample);
    sample_file_set(&sample, contents, BYTES);
    assert_int_equal(trace_file_open(&f, sample.path), 0);
    assert_int_equal(f.size, BYTES);
    assert_false(f.is_pipe);
    expect_bytes(&f, 0, BYTES + 1, BYTES);
    expect_bytes(&f, BYTES - 10, 11, 10);
    expect_bytes(&f, 100, 7, 7);
    expect_bytes(&f, BYTES, 1, 0);
    expect_bytes(&f, UINT64_MAX, 1, 0);
    assert_int_equal(trace_file_read_all(&f, 5, UINT64_MAX - 5, &bytes), 0);
    assert_int_equal(bytes.len, BYTES - 5);
    assert_memory_equal(bytes.data, contents + 5, bytes.len);
    assert_int_equal(trace_file_read_all(&f, 5, 10, &bytes), 0);
    assert_int_equal(bytes.len, 10);
    trace_file_close(&f);
    trace_file_close(&f); /* does nothing */
    sample_file_close(&sample);
    buf_fini(&bytes);
}

static void open_pipe(struct trace_file *f, FILE **pipe, const struct sample_file *sample)
{
    char text[100];
    snprintf(text, sizeof text, "cat /proc/%d/fd/%d", (int)getpid(), sample->fd);
    *pipe = popen(text, "r");
    assert_non_null(*pipe);
    snprintf(text, sizeof text, "/proc/self/fd/%d", fileno(*pipe));
    assert_int_equal(trace_file_open(f, text), 0);
    assert_true(f->is_pipe && f->size == UINT64_MAX);
}

/* The head of a pipe can be read any number of times, also together with the bytes behind it. */
static void test_pipe(void **state)
{
    static const size_t starts[] = {0, 100, TRACE_FILE_HEAD - 1, TRACE_FILE_HEAD, TRACE_FILE_HEAD + 5000};
    struct sample_file sample;
    (void)state;
    sample_file_open(&sample);
    sample_file_set(&sample, contents, BYTES);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
        struct trace_file f;
        FILE *pipe;
        uint8_t byte;
        size_t got;
        open_pipe(&f, &pipe, &sample);
        expect_bytes(&f, 10, 20, 20);
        expect_bytes(&f, 0, TRACE_FILE_HEAD, TRACE_FILE_HEAD);
        expect_bytes(&f, starts[i], 1000, 1000);
        expect_bytes(&f, 3, 20, 20);
        assert_int_equal(trace_file_read_at(&f, TRACE_FILE_HEAD, &byte, 1, &got),
                         starts[i] + 1000 > TRACE_FILE_HEAD ? TRACE_ERR_UNSUPPORTED : 0);
        expect_bytes(&f, BYTES - 10, 20, 10);
        expect_bytes(&f, BYTES + 10, 20, 0);
        trace_file_close(&f);
        pclose(pipe);
    }
    sample_file_close(&sample);
}

/* Standard input begins at its current offset. It is a regular file only if nothing was read from it. */
static void test_standard_input(void **state)
{
    struct sample_file sample;
    struct trace_file f;
    uint8_t bytes[10];
    size_t got;
    int kept = dup(STDIN_FILENO);
    (void)state;
    sample_file_open(&sample);
    sample_file_set(&sample, contents, BYTES);
    for (off_t before = 0; before < 2; ++before) {
        assert_int_equal(dup2(sample.fd, STDIN_FILENO), STDIN_FILENO);
        assert_int_equal(lseek(STDIN_FILENO, before, SEEK_SET), before);
        assert_int_equal(trace_file_open(&f, "-"), 0);
        assert_int_equal(f.is_pipe, before != 0);
        assert_int_equal(trace_file_read_at(&f, 0, bytes, sizeof bytes, &got), 0);
        assert_int_equal(got, sizeof bytes);
        assert_memory_equal(bytes, contents + before, sizeof bytes);
        trace_file_close(&f);
    }
    assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
    close(kept);
    sample_file_close(&sample);
}

/* The message names the first unreadable byte. Here, it is in the page behind our own memory. */
static void test_errors(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), got;
    uint8_t *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct trace_file f;
    char wanted[80];
    uint8_t *bytes = malloc(2 * page);
    (void)state;
    assert_true(memory != MAP_FAILED && bytes != NULL);
    assert_int_equal(munmap(memory + page, page), 0);
    assert_int_equal(trace_file_open(&f, "/proc/self/mem"), 0);
    f.size = UINT64_MAX;
    for (size_t before = 0; before <= page; before += page / 2) {
        uint64_t offset = (uintptr_t)memory + page - before;
        assert_int_equal(trace_file_read_at(&f, offset, bytes, before, &got), 0);
        assert_int_equal(got, before);
        assert_int_equal(trace_file_read_at(&f, offset, bytes, before + 1, &got), TRACE_ERR_IO);
        snprintf(wanted, sizeof wanted, "cannot read at file offset %llu: Input/output error",
                 (unsigned long long)((uintptr_t)memory + page));
        assert_string_equal(trace_error_message(), wanted);
    }
    trace_file_close(&f);
    assert_int_equal(trace_file_open(&f, "/no/such/file"), TRACE_ERR_IO);
    assert_int_equal(munmap(memory, page), 0);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regular_file),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_standard_input),
        cmocka_unit_test(test_errors),
    };
    for (size_t i = 0; i < BYTES; ++i)
        contents[i] = (uint8_t)(i * i >> 5);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
