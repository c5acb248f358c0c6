/* SPDX-License-Identifier: MIT
 * Containers: what is written comes back, byte for byte, also after a flush, in pieces, and after
 * concatenation.
 */
#include "base/error.h"
#include "formats/apitrace/read/reader.h"
#include "formats/apitrace/read/input.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <pthread.h>
#include <snappy-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define LARGE_BYTES  ((size_t)5 * 1024 * 1024 + 12345) /* several chunks, and enough for worker threads */
#define FIRST_MEMBER ((size_t)4 * 1024 * 1024)

static const enum trace_container containers[] = {TRACE_CONTAINERS(TRACE_CONTAINER_ID)};
#define CONTAINERS (sizeof containers / sizeof containers[0])

static void expect_stream(const struct sample_file *f, const uint8_t *bytes, size_t count, size_t piece)
{
    struct trace_input *in;
    uint8_t *buffer = malloc(piece);
    size_t done = 0;
    size_t got;
    assert_non_null(buffer);
    assert_int_equal(trace_input_open(&in, f->path), 0);
    do {
        assert_int_equal(trace_input_read(in, buffer, piece, &got), 0);
        assert_true(got <= count - done);
        assert_memory_equal(buffer, bytes + done, got);
        done += got;
    } while (got > 0);
    assert_int_equal(done, count);
    trace_input_close(in);
    free(buffer);
}

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
            expect_stream(&file, bytes, sizes[i], 77777);
        }
    sample_file_close(&file);
    free(bytes);
}

static void expect_chunk(struct sample_file *file, const uint8_t *bytes, size_t size, char *chunk)
{
    size_t count = snappy_max_compressed_length(size);
    assert_int_equal(snappy_compress((const char *)bytes, size, chunk + 6, &count), SNAPPY_OK);
    memcpy(chunk, "at", 2);
    for (unsigned i = 0; i < 4; ++i)
        chunk[2 + i] = (char)(count >> (8 * i));
    sample_file_set(file, chunk, 6 + count);
    expect_stream(file, bytes, size, 77777);
}

/* A Snappy chunk of any size, beside whose data its compressed bytes may have no room: of half noise, and of
 * little. */
static void test_long_chunks(void **state)
{
    (void)state;
    uint8_t *bytes = sample_bytes(LARGE_BYTES);
    char *chunk = malloc(6 + snappy_max_compressed_length(LARGE_BYTES));
    struct sample_file file;
    assert_non_null(chunk);
    sample_file_open(&file);
    for (unsigned noise = 0; noise < 2; ++noise) {
        for (size_t size = 300000; size < LARGE_BYTES; size += 150000)
            expect_chunk(&file, bytes, size, chunk);
        memset(bytes + 400000, 'x', LARGE_BYTES - 400000);
    }
    sample_file_close(&file);
    free(chunk);
    free(bytes);
}

/* What was written before a flush can be read while the writer still lives (or is killed). */
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
        expect_stream(&file, bytes, 300000, 4096);
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
        expect_stream(&file, bytes, 50000, 50000);
    }
    for (int level = 1; level <= 22; level += 7) {
        assert_int_equal(ftruncate(file.fd, 0), 0);
        lseek(file.fd, 0, SEEK_SET);
        assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_ZSTD, level, 0), 0);
        assert_int_equal(trace_output_write(out, bytes, 50000), 0);
        assert_int_equal(trace_output_close(out), 0);
        expect_stream(&file, bytes, 50000, 50000);
    }
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_BROTLI, 12, 0), TRACE_ERR_USAGE);
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_ZSTD, 23, 0), TRACE_ERR_USAGE);
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_ZSTD, 0, 0), TRACE_ERR_USAGE);
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_ZLIB, 10, 0), TRACE_ERR_USAGE);
    sample_file_close(&file);
    free(bytes);
}

/* apitrace's writer appends gzip members when it is told to flush; gzip readers take them as one stream. */
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
    expect_stream(&file, bytes, 6000, 6000);
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

/* To the second of two gzip members, or back to the first: from the start, from within, and from the end. */
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

/* A chunk of length 0 ends the stream: anything may follow. */
static void test_index(void **state)
{
    (void)state;
    struct sample_file file;
    struct buf bytes = BUF_INIT;
    uint8_t stream[100] = {6};
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream, sizeof stream);
    sample_file_get(&file, &bytes);
    assert_int_equal(buf_append(&bytes, "\0\0\0\0whatever", 12), 0);
    sample_file_set(&file, bytes.data, bytes.len);
    expect_stream(&file, stream, sizeof stream, 1000);
    sample_file_close(&file);
    buf_fini(&bytes);
}

static void expect_container(const struct sample_file *f, const char *name)
{
    struct trace_input *in;
    assert_int_equal(trace_input_open(&in, f->path), 0);
    assert_string_equal(trace_input_container(in), name);
    trace_input_close(in);
}

/* With its table whole, a seekable file is one; otherwise it still is a stream with all the bytes. */
static void test_seek_table(void **state)
{
    (void)state;
    static const struct {
        size_t from_end;
        uint8_t flip;
    } changes[] = {{1, 1}, {5, 4}, {9, 1}, {9 + 12, 1}, {9 + 3 * 12 + 8, 1}, {9 + 9, 0x80}};
    struct sample_file file;
    struct buf packed = BUF_INIT;
    uint8_t *bytes = sample_bytes(LARGE_BYTES);
    bytes[0] = 6;
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_ZSTD, bytes, LARGE_BYTES);
    expect_container(&file, "Zstandard (seekable)");
    sample_file_get(&file, &packed);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
        uint8_t *changed = packed.data + packed.len - changes[i].from_end;
        *changed ^= changes[i].flip;
        sample_file_set(&file, packed.data, packed.len);
        expect_container(&file, "Zstandard");
        /* A table that is no longer a skippable frame is damage to a stream, behind all of its bytes. */
        if (changes[i].from_end < 9 + 3 * 12)
            expect_stream(&file, bytes, LARGE_BYTES, 77777);
        *changed ^= changes[i].flip;
    }
    sample_file_set(&file, packed.data, packed.len - (9 + 3 * 12 + 8));
    expect_container(&file, "Zstandard");
    expect_stream(&file, bytes, LARGE_BYTES, 77777);
    sample_file_close(&file);
    buf_fini(&packed);
    free(bytes);
}

/* Frames that the table does not know: by the table they would be lost. */
static void test_frames_outside_the_table(void **state)
{
    (void)state;
    struct sample_file file;
    struct buf one = BUF_INIT;
    struct buf both = BUF_INIT;
    uint8_t *bytes = sample_bytes(LARGE_BYTES + 1000);
    bytes[0] = 6;
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_ZSTD, bytes + LARGE_BYTES, 1000);
    sample_file_get(&file, &one);
    one.len -= 8 + 12 + 9; /* its table of one frame: header, entry, footer */
    sample_file_pack(&file, TRACE_CONTAINER_ZSTD, bytes, LARGE_BYTES);
    sample_file_get(&file, &both);
    size_t frames = both.len - (8 + 12 * (size_t)both.data[both.len - 9] + 9);
    struct buf file_bytes = BUF_INIT;
    assert_int_equal(buf_append(&file_bytes, both.data, frames), 0);
    assert_int_equal(buf_append(&file_bytes, one.data, one.len), 0);
    assert_int_equal(buf_append(&file_bytes, both.data + frames, both.len - frames), 0);
    sample_file_set(&file, file_bytes.data, file_bytes.len);
    expect_container(&file, "Zstandard");
    expect_stream(&file, bytes, LARGE_BYTES + 1000, 77777);
    sample_file_close(&file);
    buf_fini(&file_bytes);
    buf_fini(&both);
    buf_fini(&one);
    free(bytes);
}

/* A frame whose bytes are not those that the table has the checksum of. */
static void test_seek_checksum(void **state)
{
    (void)state;
    struct sample_file file;
    struct trace_input *in;
    struct buf packed = BUF_INIT;
    uint8_t stream[100] = {6};
    size_t got;
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_ZSTD, stream, sizeof stream);
    sample_file_get(&file, &packed);
    packed.data[packed.len - 10] ^= 1;
    sample_file_set(&file, packed.data, packed.len);
    assert_int_equal(trace_input_open(&in, file.path), 0);
    assert_int_equal(trace_input_read(in, stream, sizeof stream, &got), TRACE_ERR_FORMAT);
    assert_non_null(
        strstr(trace_error_message(), "chunk 0 at file offset 0: corrupt Zstandard data: wrong checksum"));
    trace_input_close(in);
    sample_file_close(&file);
    buf_fini(&packed);
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

/* Every container comes through a pipe, the standard input as well. */
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
        expect_stream(&file, bytes, LARGE_BYTES, 77777);
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
    expect_open_error("at\xff\xff\xff\xff\1\0\6", 9, TRACE_ERR_FORMAT, "a wrong length, of 4294967295 bytes");
    expect_open_error("at\x22\0\0\0\1\0\6", 9, TRACE_ERR_FORMAT, "a wrong length, of 34 bytes");
    expect_open_error("at\x21\0\0\0\1\0\6", 9, TRACE_ERR_TRUNCATED,
                      "is cut off: 3 of its 33 bytes are there");
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

/* A tiny Snappy block that claims four gigabytes must not cost four gigabytes. */
static void test_claimed_size(void **state)
{
    (void)state;
    static const uint8_t huge[] = {'a', 't', 8, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 6, 0};
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* whose memory is more than that */
    const struct rlimit limit = {(rlim_t)2 << 30, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
#endif
    expect_open_error(huge, sizeof huge, TRACE_ERR_FORMAT, "corrupt Snappy");
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_long_chunks),
        cmocka_unit_test(test_flush),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_gzip_members),
        cmocka_unit_test(test_index),
        cmocka_unit_test(test_not_a_trace),
        cmocka_unit_test(test_claimed_size),
        cmocka_unit_test(test_seek_table),
        cmocka_unit_test(test_seek_checksum),
        cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_gzip_seek),
        cmocka_unit_test(test_frames_outside_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
