/* SPDX-License-Identifier: MIT
 * Tests writing containers with and without threads: the file does not depend on the threads and the sizes of
 * the writes, a flush writes everything, the list of chunks matches the file, and errors are returned.
 */
#include "base/error.h"
#include "formats/apitrace/index/index_writer.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/read/input.h"
#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/index/index_format.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#define BYTES ((size_t)7 * 1024 * 1024 + 321)

static const enum trace_container containers[] = {TRACE_CONTAINER_SNAPPY, TRACE_CONTAINER_ZLIB,
                                                  TRACE_CONTAINER_BROTLI, TRACE_CONTAINER_ZSTD};
#define CONTAINERS (sizeof containers / sizeof containers[0])

static struct trace_output *open_output(struct sample_file *f, enum trace_container container, unsigned jobs)
{
    struct trace_output *out;
    assert_int_equal(ftruncate(f->fd, 0), 0);
    lseek(f->fd, 0, SEEK_SET);
    assert_int_equal(trace_output_open_fd(&out, f->fd, container, 1, jobs), 0);
    return out;
}

/* Writes pieces of 1, 2, 4, … bytes until `piece` is reached, then pieces of that size. */
static void write_pieces(struct trace_output *out, const uint8_t *bytes, size_t count, size_t piece)
{
    size_t done = 0;
    for (size_t n = 1; done < count; n = 2 * n < piece ? 2 * n : piece) {
        size_t size = n < count - done ? n : count - done;
        assert_int_equal(trace_output_write(out, bytes + done, size), 0);
        done += size;
    }
}

static void expect_prefix(const struct sample_file *f, const uint8_t *bytes, size_t count)
{
    struct trace_input *in;
    uint8_t *back = malloc(count);
    size_t got;
    assert_non_null(back);
    assert_int_equal(trace_input_open(&in, f->path), 0);
    assert_int_equal(trace_input_read(in, back, count, &got), 0);
    assert_int_equal(got, count);
    assert_memory_equal(back, bytes, count);
    trace_input_close(in);
    free(back);
}

/* Writes the same from a buffer whose memory may be exchanged, and which gets more bytes in between. */
static void give_pieces(struct trace_output *out, const uint8_t *bytes, size_t count, size_t piece)
{
    struct buf given = BUF_INIT;
    for (size_t done = 0; done < count;) {
        size_t size = piece < count - done ? piece : count - done, before = given.len;
        assert_int_equal(buf_append(&given, bytes + done, size), 0);
        done += size;
        assert_int_equal(trace_output_take(out, &given), 0);
        assert_true(given.len < before + size);
    }
    while (given.len > 0)
        assert_int_equal(trace_output_take(out, &given), 0);
    buf_fini(&given);
}

/* The file does not depend on the number of threads, or on how the stream is divided into writes. */
static void test_same_file(void **state)
{
    (void)state;
    static const struct {
        unsigned jobs;
        size_t piece;
        bool gives;
    } ways[] = {{0, 12345, false},
                {1, 100, false},
                {1, BYTES, false},
                {2, 1 << 20, false},
                {5, 3 << 20, false},
                {TRACE_OUTPUT_MAX_JOBS + 1, BYTES, false},
                {0, (1 << 20) + 12345, true},
                {1, (1 << 20) + 12345, true},
                {1, 700000, true},
                {2, 1 << 20, true},
                {1, (3 << 19) + 7, true}};
    uint8_t *bytes = sample_bytes(BYTES);
    for (size_t c = 0; c < CONTAINERS; ++c) {
        struct sample_file file;
        struct buf reference = BUF_INIT;
        sample_file_open(&file);
        struct trace_output *out = open_output(&file, containers[c], 0);
        assert_int_equal(trace_output_write(out, bytes, BYTES), 0);
        assert_int_equal(trace_output_close(out), 0);
        sample_file_get(&file, &reference);
        expect_prefix(&file, bytes, BYTES);
        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
            struct buf other = BUF_INIT;
            out = open_output(&file, containers[c], ways[i].jobs);
            (ways[i].gives ? give_pieces : write_pieces)(out, bytes, BYTES, ways[i].piece);
            assert_int_equal(trace_output_close(out), 0);
            sample_file_get(&file, &other);
            if (containers[c] == TRACE_CONTAINER_BROTLI) { /* the compressor sees the pieces */
                expect_prefix(&file, bytes, BYTES);
            } else {
                assert_int_equal(other.len, reference.len);
                assert_memory_equal(other.data, reference.data, other.len);
            }
            buf_fini(&other);
        }
        buf_fini(&reference);
        sample_file_close(&file);
    }
    free(bytes);
}

/* After a flush, everything is in the file, while the threads go on. */
static void test_flush(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 500, (1 << 20) + 7, 3 << 20, 0, 3};
    uint8_t *bytes = sample_bytes(BYTES);
    for (size_t c = 0; c < CONTAINERS; ++c)
        for (unsigned jobs = 0; jobs < 4; ++jobs) {
            struct sample_file file;
            size_t done = 0;
            sample_file_open(&file);
            struct trace_output *out = open_output(&file, containers[c], jobs);
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
                assert_int_equal(trace_output_write(out, bytes + done, sizes[i]), 0);
                assert_int_equal(trace_output_flush(out), 0);
                done += sizes[i];
                if (done >= 500) /* a shorter file may not be recognised as a trace */
                    expect_prefix(&file, bytes, done);
            }
            assert_int_equal(trace_output_close(out), 0);
            expect_prefix(&file, bytes, done);
            sample_file_close(&file);
        }
    free(bytes);
}

/* Each chunk in the list has this offset and checksum, and can be decompressed alone. */
static void test_chunk_list(void **state)
{
    (void)state;
    uint8_t *bytes = sample_bytes(BYTES);
    for (size_t c = 0; c < CONTAINERS; ++c) {
        struct sample_file file;
        struct buf whole = BUF_INIT;
        if (containers[c] == TRACE_CONTAINER_BROTLI)
            continue; /* the only chunk is listed when the output is closed, and then there is no list to ask
                         for */
        sample_file_open(&file);
        struct trace_output *out = open_output(&file, containers[c], 3);
        assert_int_equal(trace_output_write(out, bytes, BYTES - 1000), 0);
        assert_int_equal(trace_output_flush(out), 0);
        assert_int_equal(trace_output_write(out, bytes + BYTES - 1000, 1000), 0);
        assert_int_equal(trace_output_flush(out), 0);
        const struct trace_chunk_list *list = trace_output_chunks(out);
        uint64_t stream_offset = 0;
        sample_file_get(&file, &whole);
        assert_true(list->count >= 4);
        for (size_t i = 0; i < list->count; ++i) {
            const struct trace_chunk_entry *e = &list->entries[i];
            assert_int_equal(e->stream_offset, stream_offset);
            assert_true(e->file_offset + e->length <= whole.len);
            assert_true(e->checksum == XXH64(whole.data + e->file_offset, e->length, 0));
            stream_offset += e->size;
        }
        const struct trace_chunk_entry *last = &list->entries[list->count - 1];
        assert_int_equal(stream_offset, BYTES);
        assert_int_equal(last->size, 1000);
        assert_int_equal(last->file_offset + last->length, whole.len);
        assert_int_equal(trace_output_close(out), 0);
        buf_fini(&whole);
        sample_file_close(&file);
    }
    free(bytes);
}

static void test_empty_stream(void **state)
{
    (void)state;
    for (size_t c = 0; c < CONTAINERS; ++c)
        for (unsigned jobs = 0; jobs < 2; ++jobs) {
            struct sample_file file;
            struct trace_input *in;
            uint8_t byte;
            size_t got;
            sample_file_open(&file);
            struct trace_output *out = open_output(&file, containers[c], jobs);
            assert_int_equal(trace_output_flush(out), 0);
            assert_int_equal(trace_output_write(out, "", 0), 0);
            assert_int_equal(trace_output_close(out), 0);
            if (containers[c] != TRACE_CONTAINER_BROTLI) { /* a single byte can be anything */
                assert_int_equal(trace_input_open(&in, file.path), 0);
                assert_int_equal(trace_input_read(in, &byte, 1, &got), 0);
                assert_int_equal(got, 0);
                trace_input_close(in);
            }
            sample_file_close(&file);
        }
}

/* A full disk is reported promptly and by every later call, and nothing hangs. */
static void test_full_device(void **state)
{
    (void)state;
    uint8_t *bytes = sample_bytes(BYTES);
    int fd = open("/dev/full", O_WRONLY);
    assert_true(fd >= 0);
    for (size_t c = 0; c < CONTAINERS; ++c)
        for (unsigned jobs = 0; jobs < 4; ++jobs) {
            struct trace_output *out;
            int rc = trace_output_open_fd(&out, fd, containers[c], 1, jobs);
            if (containers[c] == TRACE_CONTAINER_SNAPPY) {
                assert_int_equal(rc, TRACE_ERR_IO); /* not even its first bytes can be written */
                continue;
            }
            assert_int_equal(rc, 0);
            for (unsigned i = 0; i < 100 && rc == 0; ++i)
                rc = trace_output_write(out, bytes, BYTES / 7);
            assert_int_equal(rc, TRACE_ERR_IO);
            assert_non_null(strstr(trace_error_message(), "No space left on device"));
            assert_int_equal(trace_output_write(out, bytes, BYTES), TRACE_ERR_IO);
            assert_int_equal(trace_output_flush(out), TRACE_ERR_IO);
            assert_int_equal(trace_output_close(out), TRACE_ERR_IO);
        }
    close(fd);
    free(bytes);
}

/* The reader closes the pipe in the middle. The earlier bytes stay, and the error is that of write(). */
static void test_broken_pipe(void **state)
{
    (void)state;
    uint8_t *bytes = sample_bytes(BYTES);
    signal(SIGPIPE, SIG_IGN);
    for (unsigned jobs = 0; jobs < 3; ++jobs) {
        struct trace_output *out;
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(trace_output_open_fd(&out, ends[1], TRACE_CONTAINER_SNAPPY, -1, jobs), 0);
        assert_int_equal(trace_output_write(out, bytes, 5000), 0);
        assert_int_equal(trace_output_flush(out), 0);
        close(ends[0]);
        int rc = trace_output_write(out, bytes, BYTES);
        if (rc == 0)
            rc = trace_output_flush(out);
        assert_int_equal(rc, TRACE_ERR_IO);
        assert_non_null(strstr(trace_error_message(), "Broken pipe"));
        assert_int_equal(trace_output_close(out), TRACE_ERR_IO);
        assert_non_null(strstr(trace_error_message(), "Broken pipe"));
        close(ends[1]);
    }
    free(bytes);
}

/* Output that is appended to a file uses offsets in that file. */
static void test_present_offset(void **state)
{
    (void)state;
    struct sample_file file;
    struct trace_output *out;
    sample_file_open(&file);
    assert_int_equal(write(file.fd, "0123456789", 10), 10);
    assert_int_equal(trace_output_open_fd(&out, file.fd, TRACE_CONTAINER_ZSTD, 1, 1), 0);
    assert_int_equal(trace_output_write(out, "abc", 3), 0);
    assert_int_equal(trace_output_flush(out), 0);
    assert_int_equal(trace_output_chunks(out)->entries[0].file_offset, 10);
    assert_int_equal(trace_output_close(out), 0);
    sample_file_close(&file);
}

/* Builds an index of the events of f. */
static struct trace_index_builder *build_index(const struct sample_file *f)
{
    struct trace_index_builder *index;
    struct trace_raw_events *events;
    const struct trace_raw_event *event;
    assert_int_equal(trace_index_builder_new(&index), 0);
    assert_int_equal(trace_raw_events_open(&events, f->path, false), 0);
    do {
        assert_int_equal(trace_raw_events_next(events, &event), 0);
        if (event != NULL)
            assert_int_equal(trace_index_builder_add(index, event), 0);
    } while (event != NULL);
    trace_raw_events_close(events);
    return index;
}

/* The index is behind the stream. What the container needs there is before it and in the seek table. */
static void test_index(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    sample_encode_stream(&stream);
    for (size_t c = 0; c < CONTAINERS; ++c) {
        struct sample_file file;
        struct buf whole = BUF_INIT;
        struct trace_input *in;
        sample_file_open(&file);
        sample_file_pack(&file, containers[c], stream.data, stream.len);
        off_t plain_size = lseek(file.fd, 0, SEEK_END);
        struct trace_index_builder *index = build_index(&file);
        struct trace_output *out = open_output(&file, containers[c], 1);
        trace_output_attach_index(out, index);
        assert_int_equal(trace_output_write(out, stream.data, stream.len), 0);
        assert_int_equal(trace_output_close(out), 0);
        trace_index_builder_free(index);

        expect_prefix(&file, stream.data, stream.len);
        sample_file_get(&file, &whole);
        assert_true(whole.len > (size_t)plain_size);
        size_t table = containers[c] == TRACE_CONTAINER_ZSTD   ? 8 + 2 * 12 + 9
                       : containers[c] == TRACE_CONTAINER_ZLIB ? 10 /* the end of a gzip member */
                                                               : 0;
        assert_memory_equal(whole.data + whole.len - table - sizeof trace_index_magic, trace_index_magic,
                            sizeof trace_index_magic);
        assert_int_equal(trace_input_open(&in, file.path), 0);
        if (containers[c] == TRACE_CONTAINER_ZSTD)
            assert_string_equal(trace_input_container(in), "Zstandard (seekable)");
        trace_input_close(in);
        buf_fini(&whole);
        sample_file_close(&file);
    }
    buf_fini(&stream);
}

/* An index of another stream causes an error, but the trace is complete. */
static void test_wrong_index(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    sample_encode_stream(&stream);
    for (size_t c = 0; c < CONTAINERS; ++c) {
        struct sample_file file;
        struct trace_index_builder *index;
        sample_file_open(&file);
        sample_file_pack(&file, containers[c], stream.data, stream.len);
        index = build_index(&file);
        struct trace_output *out = open_output(&file, containers[c], 0);
        trace_output_attach_index(out, index);
        assert_int_equal(trace_output_write(out, stream.data, 100), 0);
        assert_int_equal(trace_output_close(out), TRACE_ERR_FORMAT);
        trace_index_builder_free(index);
        expect_prefix(&file, stream.data, 100);
        sample_file_close(&file);
    }
    buf_fini(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_file),      cmocka_unit_test(test_flush),
        cmocka_unit_test(test_chunk_list),     cmocka_unit_test(test_empty_stream),
        cmocka_unit_test(test_full_device),    cmocka_unit_test(test_broken_pipe),
        cmocka_unit_test(test_present_offset), cmocka_unit_test(test_index),
        cmocka_unit_test(test_wrong_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
