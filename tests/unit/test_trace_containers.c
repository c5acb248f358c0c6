/* SPDX-License-Identifier: MIT
 * Tests containers: what is written can be read byte for byte, also after a flush, in pieces, and after
 * concatenation.
 */
#include "base/error.h"
#include "formats/apitrace/container/codecs.h"
#include "formats/apitrace/read/reader.h"
#include "formats/apitrace/read/input.h"
#include "trace/probe.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGE_BYTES  ((size_t)5 * 1024 * 1024 + 12345) /* several chunks, and enough for worker threads */
#define FIRST_MEMBER ((size_t)4 * 1024 * 1024)

static const enum trace_container containers[] = {TRACE_CONTAINERS(TRACE_CONTAINER_ID)};
#define CONTAINERS (sizeof containers / sizeof containers[0])

static void test_round_trip(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 1000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, LARGE_BYTES};
    uint8_t *bytes = sample_bytes(LARGE_BYTES);
    struct sample_file file;
    sample_file_open(&file);
    for (size_t c = 0; c < CONTAINERS; ++c)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
            bytes[0] = 6;
            sample_file_pack(&file, containers[c], bytes, sizes[i]);
            sample_file_expect_stream(&file, bytes, sizes[i], 77777);
        }
    sample_file_close(&file);
    free(bytes);
}

/* What was written before a flush can be read while the writer still exists, and after it was killed. */
static void test_flush(void **state)
{
    (void)state;
    uint8_t *bytes = sample_bytes(300000);
    for (size_t c = 0; c < CONTAINERS; ++c) {
        struct sample_file file;
        struct trace_output *out;
        struct trace_input *in;
        size_t got = 0;
        uint8_t *back = malloc(300000);
        sample_file_open(&file);
        assert_int_equal(trace_output_open_fd(&out, file.fd, containers[c], 1, 0), 0);
        assert_int_equal(trace_output_write(out, bytes, 200000), 0);
        assert_int_equal(trace_output_flush(out), 0);
        assert_int_equal(trace_input_open(&in, file.path), 0);
        assert_int_equal(trace_input_read(in, back, 200000, &got), 0);
        assert_int_equal(got, 200000);
        assert_memory_equal(back, bytes, got);
        trace_input_close(in);
        assert_int_equal(trace_output_write(out, bytes + 200000, 100000), 0);
        assert_int_equal(trace_output_close(out), 0);
        sample_file_expect_stream(&file, bytes, 300000, 4096);
        sample_file_close(&file);
        free(back);
    }
    free(bytes);
}

static void test_levels(void **state)
{
    (void)state;
    struct sample_file file;
    struct trace_output *out;
    uint8_t *bytes = sample_bytes(50000);
    sample_file_open(&file);
    for (int level = 0; level <= 11; ++level) {
        assert_int_equal(ftruncate(file.fd, 0), 0);
        lseek(file.fd, 0, SEEK_SET);
        assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_BROTLI, level, 0), 0);
        assert_int_equal(trace_output_write(out, bytes, 50000), 0);
        assert_int_equal(trace_output_close(out), 0);
        sample_file_expect_stream(&file, bytes, 50000, 50000);
    }
    for (int level = 1; level <= 22; level += 7) {
        assert_int_equal(ftruncate(file.fd, 0), 0);
        lseek(file.fd, 0, SEEK_SET);
        assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_ZSTD, level, 0), 0);
        assert_int_equal(trace_output_write(out, bytes, 50000), 0);
        assert_int_equal(trace_output_close(out), 0);
        sample_file_expect_stream(&file, bytes, 50000, 50000);
    }
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_BROTLI, 12, 0), TRACE_ERR_USAGE);
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_ZSTD, 23, 0), TRACE_ERR_USAGE);
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_ZSTD, 0, 0), TRACE_ERR_USAGE);
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_ZLIB, 10, 0), TRACE_ERR_USAGE);
    sample_file_close(&file);
    free(bytes);
}

/* apitrace's writer appends gzip members when it is flushed. gzip readers read them as one stream. */
static void test_gzip_members(void **state)
{
    (void)state;
    struct sample_file file;
    struct buf two = BUF_INIT;
    uint8_t *bytes = sample_bytes(6000);
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_ZLIB, bytes, 2000);
    sample_file_get(&file, &two);
    sample_file_pack(&file, TRACE_CONTAINER_ZLIB, bytes + 2000, 4000);
    sample_file_get(&file, &two);
    sample_file_set(&file, two.data, two.len);
    sample_file_expect_stream(&file, bytes, 6000, 6000);
    sample_file_close(&file);
    buf_fini(&two);
    free(bytes);
}

static void expect_rest(struct trace_input *in, const uint8_t *bytes, size_t count)
{
    uint8_t buffer[700];
    size_t got;
    for (size_t done = 0;; done += got) {
        assert_int_equal(trace_input_read(in, buffer, sizeof buffer, &got), 0);
        if (got == 0) {
            assert_int_equal(done, count);
            return;
        }
        assert_true(got <= count - done);
        assert_memory_equal(buffer, bytes + done, got);
    }
}

/* Goes to the start by rewinding, or by a chunk entry as in an index. */
static void go_back(struct trace_input *in, enum trace_container container, bool rewinds)
{
    const struct trace_block_codec *blocks = trace_codec_of(container)->blocks;
    const struct trace_chunk_entry first = {
        .file_offset = blocks != NULL ? blocks->prologue_size + blocks->header_size : 0};
    assert_int_equal(rewinds ? trace_input_rewind(in) : trace_input_seek(in, 0, &first), 0);
}

/* Goes back to the start from the middle, from the end, and from where the file is cut. */
static void test_going_back(void **state)
{
    (void)state;
    uint8_t *bytes = sample_bytes(LARGE_BYTES);
    bytes[0] = 6;
    for (size_t c = 0; c < CONTAINERS; ++c) {
        struct sample_file file;
        struct trace_input *in;
        struct buf packed = BUF_INIT;
        uint8_t some[1000];
        size_t got;
        sample_file_open(&file);
        sample_file_pack(&file, containers[c], bytes, LARGE_BYTES);
        assert_int_equal(trace_input_open(&in, file.path), 0);
        for (unsigned round = 0; round < 3; ++round) {
            expect_rest(in, bytes, LARGE_BYTES);
            go_back(in, containers[c], round % 2 == 0);
            assert_int_equal(trace_input_read(in, some, sizeof some, &got), 0);
            assert_int_equal(got, sizeof some);
            assert_memory_equal(some, bytes, sizeof some);
            go_back(in, containers[c], round % 2 != 0);
        }
        trace_input_close(in);
        sample_file_get(&file, &packed);
        sample_file_set(&file, packed.data, packed.len / 2);
        assert_int_equal(trace_input_open(&in, file.path), 0);
        for (unsigned round = 0; round < 3; ++round) {
            size_t read = 0;
            int rc;
            while ((rc = trace_input_read(in, some, sizeof some, &got)) == 0) {
                assert_memory_equal(some, bytes + read, got);
                read += got;
            }
            assert_int_equal(rc, TRACE_ERR_TRUNCATED);
            assert_true(read > LARGE_BYTES / 4);
            go_back(in, containers[c], round % 2 == 0);
        }
        trace_input_close(in);
        sample_file_close(&file);
        buf_fini(&packed);
    }
    free(bytes);
}

/* Goes to the second of two gzip members, and back to the first, from the start, the middle and the end. */
static void test_gzip_seek(void **state)
{
    (void)state;
    struct sample_file file;
    struct buf two = BUF_INIT;
    struct trace_input *in;
    uint8_t *bytes = sample_bytes(LARGE_BYTES);
    uint8_t some[1000];
    size_t got;
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_ZLIB, bytes, FIRST_MEMBER);
    sample_file_get(&file, &two);
    const struct trace_chunk_entry members[] = {{.file_offset = 0}, {.file_offset = two.len}};
    sample_file_pack(&file, TRACE_CONTAINER_ZLIB, bytes + FIRST_MEMBER, LARGE_BYTES - FIRST_MEMBER);
    sample_file_get(&file, &two);
    sample_file_set(&file, two.data, two.len);
    for (size_t before = 0; before < 4; ++before)
        for (size_t member = 0; member < 2; ++member) {
            assert_int_equal(trace_input_open(&in, file.path), 0);
            for (size_t i = 0; i < (before < 3 ? before : 2 * LARGE_BYTES / sizeof some); ++i)
                assert_int_equal(trace_input_read(in, some, sizeof some, &got), 0);
            assert_int_equal(trace_input_seek(in, member, &members[member]), 0);
            expect_rest(in, bytes + FIRST_MEMBER * member, LARGE_BYTES - FIRST_MEMBER * member);
            trace_input_close(in);
        }
    sample_file_close(&file);
    buf_fini(&two);
    free(bytes);
}

struct feeder {
    int fd;
    const struct buf *bytes;
};

static void *feed(void *argument)
{
    const struct feeder *f = argument;
    for (size_t done = 0; done < f->bytes->len;) {
        size_t left = f->bytes->len - done;
        ssize_t n = write(f->fd, f->bytes->data + done, left < 10001 ? left : 10001);
        assert_true(n > 0);
        done += (size_t)n;
    }
    close(f->fd);
    return NULL;
}

/* Every container can be read from a pipe, standard input included. */
static void test_pipes(void **state)
{
    (void)state;
    uint8_t *bytes = sample_bytes(LARGE_BYTES);
    bytes[0] = 6;
    for (size_t c = 0; c < 2 * CONTAINERS; ++c) {
        struct buf packed = BUF_INIT;
        struct sample_file file;
        struct feeder feeder;
        pthread_t thread;
        int ends[2];
        sample_file_open(&file);
        sample_file_pack(&file, containers[c / 2], bytes, LARGE_BYTES);
        sample_file_get(&file, &packed);
        sample_file_close(&file);
        assert_int_equal(pipe(ends), 0);
        feeder = (struct feeder){ends[1], &packed};
        snprintf(file.path, sizeof file.path, c % 2 == 0 ? "/proc/self/fd/%d" : "-", ends[0]);
        if (c % 2 != 0)
            assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
        assert_int_equal(pthread_create(&thread, NULL, feed, &feeder), 0);
        sample_file_expect_stream(&file, bytes, LARGE_BYTES, 77777);
        pthread_join(thread, NULL);
        close(ends[0]);
        buf_fini(&packed);
    }
    free(bytes);
}

static void expect_open_error(const void *bytes, size_t count, int code, const char *message)
{
    struct sample_file file;
    struct trace_reader *reader = NULL;
    sample_file_open(&file);
    sample_file_set(&file, bytes, count);
    assert_int_equal(trace_reader_open(&reader, file.path), code);
    assert_non_null(strstr(trace_error_message(), file.path));
    if (strstr(trace_error_message(), message) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", message, trace_error_message());
    sample_file_close(&file);
}

static void test_not_a_trace(void **state)
{
    (void)state;
    struct trace_reader *reader;
    expect_open_error("", 0, TRACE_ERR_FORMAT, "the file is empty");
    expect_open_error("\x80", 1, TRACE_ERR_FORMAT, "only 1 byte");
    expect_open_error("This is a text file.\n", 21, TRACE_ERR_FORMAT, "text file");
    expect_open_error("at first sight like Snappy chunks", 33, TRACE_ERR_FORMAT, "text file");
    expect_open_error("\x7f\x45LF\2\1\1\0\0\0\0\0\0\0\0\0", 16, TRACE_ERR_FORMAT, "not a trace");
    expect_open_error("at", 2, TRACE_ERR_TRUNCATED, "ends inside its header");
    expect_open_error("at\3\0\0\0\1\0\7", 9, TRACE_ERR_UNSUPPORTED,
                      "version 7 is not supported (only 0 to 6)");
    expect_open_error("at\xff\xff\xff\xff\1\0\6", 9, TRACE_ERR_FORMAT,
                      "its length of 4294967295 bytes is impossible");
    expect_open_error("at\x22\0\0\0\1\0\6", 9, TRACE_ERR_FORMAT, "its length of 34 bytes is impossible");
    expect_open_error("at\x21\0\0\0\1\0\6", 9, TRACE_ERR_TRUNCATED,
                      "is cut off: the file has 3 of its 33 bytes");
    expect_open_error("at\3\0\0\0\xff\xff\xff", 9, TRACE_ERR_FORMAT,
                      "chunk 0 at file offset 6: corrupt Snappy");
    expect_open_error("\x1f\x8b\x08garbage", 10, TRACE_ERR_FORMAT, "corrupt gzip");
    expect_open_error("\x28\xb5\x2f\xfd....", 8, TRACE_ERR_FORMAT, "corrupt Zstandard");
    expect_open_error("\x28\xb5\x2f\xfd", 4, TRACE_ERR_TRUNCATED, "ends inside its Zstandard stream");
    assert_int_equal(trace_reader_open(&reader, "/no/such/file"), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "/no/such/file: cannot open: No such file or directory");
    assert_int_equal(trace_reader_open(&reader, "/proc/self"), TRACE_ERR_IO);
    assert_non_null(strstr(trace_error_message(), "directory"));
    assert_int_equal(trace_reader_open(&reader, "/dev/null"), TRACE_ERR_FORMAT);
    assert_non_null(strstr(trace_error_message(), "empty"));
}

/* Reads with pauses of so many microseconds, so that threads read as far ahead as they may. Returns how many
 * chunks of memory were used. says: the input is told to read on, while the chunk before is in use and after.
 */
static unsigned count_chunks(const char *path, bool saves_memory, bool says, unsigned pause,
                             const uint8_t *bytes)
{
    struct trace_probe probe;
    struct trace_input *in;
    struct trace_chunk *chunk, *before = NULL;
    const uint8_t *seen[16];
    unsigned count = 0;
    size_t at = 0;
    assert_int_equal(trace_probe_open(&probe, path), 0);
    probe.saves_memory = saves_memory;
    assert_int_equal(trace_input_open_probed(&in, &probe), 0);
    trace_probe_close(&probe);
    while (trace_input_next_chunk(in, &chunk) == 0 && chunk != NULL) {
        unsigned i = 0;
        if (says)
            trace_input_read_on(in);
        usleep(pause);
        trace_chunk_unref(before);
        before = chunk;
        if (says)
            trace_input_read_on(in);
        usleep(pause);
        while (i < count && seen[i] != chunk->data)
            ++i;
        assert_true(i < 16);
        seen[i] = chunk->data;
        count += i == count;
        assert_memory_equal(chunk->data, bytes + at, chunk->len);
        assert_true(!saves_memory || chunk->compressed.data == NULL);
        at += chunk->len;
    }
    trace_chunk_unref(before);
    trace_input_close(in);
    assert_int_equal(at, LARGE_BYTES);
    return count;
}

/* A loaded machine may give the threads no time. */
static unsigned count_chunks_ahead(const char *path, unsigned least, const uint8_t *bytes)
{
    unsigned count = 0;
    for (unsigned pause = 2000; count < least && pause < 200000; pause *= 4)
        count = count_chunks(path, false, true, pause, bytes);
    return count;
}

static void test_little_memory(void **state)
{
    (void)state;
    uint8_t *bytes = sample_bytes(LARGE_BYTES);
    struct sample_file file;
    bytes[0] = 6;
    sample_file_open(&file);
    for (size_t c = 0; c < CONTAINERS; ++c) {
        sample_file_pack(&file, containers[c], bytes, LARGE_BYTES);
        count_chunks(file.path, true, false, 2000, bytes);
        unsigned most = containers[c] == TRACE_CONTAINER_SNAPPY ? 2 : 16;
        unsigned least = containers[c] == TRACE_CONTAINER_SNAPPY ? 4 : 1;
        assert_in_range(count_chunks(file.path, true, true, 2000, bytes), 1, most);
        assert_in_range(count_chunks_ahead(file.path, least, bytes), least, 16);
    }
    sample_file_close(&file);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_flush),
        cmocka_unit_test(test_levels),        cmocka_unit_test(test_gzip_members),
        cmocka_unit_test(test_not_a_trace),   cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_gzip_seek),     cmocka_unit_test(test_going_back),
        cmocka_unit_test(test_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
