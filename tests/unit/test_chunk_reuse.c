/* SPDX-License-Identifier: MIT
 * Chunks that a copy does not change are written as they are. Tests that the stream of the copy is the same
 * as if every byte were compressed again, whatever is left out or edited around them.
 */
#include "base/error.h"
#include "formats/apitrace/copy/raw_event_copier.h"
#include "formats/apitrace/read/input.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK ((size_t)1 << 20)

static const char *const arg_names[] = {"data"};

/* 8 MiB of calls. A few of them are long, one is longer than a chunk's headroom, and one than two chunks. */
static void make_stream(struct buf *stream)
{
    struct trace_encoder e;
    uint8_t *blob = calloc(3, CHUNK);
    assert_non_null(blob);
    trace_encoder_init(&e, stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint32_t i = 0; stream->len < 8 * CHUNK; ++i) {
        const struct trace_function_sig sig = {
            .id = i % 500, .name = "glFunction", .arg_count = 1, .arg_names = arg_names};
        size_t size = i == 4000          ? 300000
                      : i % 5000 == 4000 ? 100000
                      : i == 30000       ? 2 * CHUNK + 77
                                         : 1 + i % 97;
        memset(blob, (int)(i % 251), size);
        trace_encode_enter(&e, i % 3, &sig, 0);
        trace_encode_arg(&e, 0);
        trace_encode_blob(&e, blob, size);
        trace_encode_end(&e);
        trace_encode_leave(&e, i);
        trace_encode_end(&e);
    }
    assert_false(e.failed);
    trace_encoder_fini(&e);
    free(blob);
}

static void append_u32(struct buf *out, uint32_t value)
{
    for (unsigned i = 0; i < 4; ++i)
        assert_int_equal(buf_append_byte(out, (uint8_t)(value >> 8 * i)), 0);
}

/* Writes uncompressed literals as Snappy chunks, as no compressor would. So chunks that were reused are easy
 * to recognise in the copy. */
static void pack_literally(struct sample_file *f, const struct buf *stream)
{
    struct buf file = BUF_INIT;
    assert_int_equal(buf_append(&file, "at", 2), 0);
    for (size_t at = 0; at < stream->len; at += CHUNK) {
        size_t size = stream->len - at < CHUNK ? stream->len - at : CHUNK;
        struct buf block = BUF_INIT;
        size_t rest = size;
        for (; rest >= 0x80; rest >>= 7)
            assert_int_equal(buf_append_byte(&block, (uint8_t)(rest | 0x80)), 0);
        assert_int_equal(buf_append_byte(&block, (uint8_t)rest), 0);
        for (size_t done = 0; done < size; done += 65536) {
            size_t n = size - done < 65536 ? size - done : 65536;
            uint8_t tag[3] = {61 << 2, (uint8_t)(n - 1), (uint8_t)((n - 1) >> 8)};
            assert_int_equal(buf_append(&block, tag, sizeof tag), 0);
            assert_int_equal(buf_append(&block, stream->data + at + done, n), 0);
        }
        append_u32(&file, (uint32_t)block.len);
        assert_int_equal(buf_append(&file, block.data, block.len), 0);
        buf_fini(&block);
    }
    sample_file_set(f, file.data, file.len);
    buf_fini(&file);
}

/* The call to leave out, and the call whose thread to change; -1: none. */
struct change {
    int64_t left_out;
    int64_t edited;
    uint64_t end; /* number of the first call that is not copied */
};

static void copy(const char *path, struct sample_file *out, const struct change *change)
{
    struct trace_raw_events *events;
    struct trace_output *output;
    struct trace_copier *copier;
    const struct trace_raw_event *event;
    const struct trace_edit edit = {1, 1, "\x05", 1};
    assert_int_equal(ftruncate(out->fd, 0), 0);
    lseek(out->fd, 0, SEEK_SET);
    assert_int_equal(trace_raw_events_open(&events, path, true), 0);
    assert_int_equal(trace_output_open_fd(&output, out->fd, TRACE_CONTAINER_SNAPPY, -1, 1), 0);
    assert_int_equal(trace_copier_open(&copier, events, output), 0);
    assert_int_equal(trace_copier_header(copier), 0);
    while (trace_raw_events_next(events, &event) == 0 && event != NULL && event->call < change->end) {
        bool keep = (int64_t)event->call != change->left_out;
        bool edits = (int64_t)event->call == change->edited && event->tag == TRACE_RAW_EVENT_ENTER;
        assert_int_equal(trace_copier_event(copier, event, keep, &edit, edits), 0);
    }
    assert_int_equal(trace_copier_flush(copier), 0);
    trace_copier_close(copier);
    trace_raw_events_close(events);
    assert_int_equal(trace_output_close(output), 0);
}

static void read_stream(const char *path, struct buf *out)
{
    struct trace_input *in;
    struct trace_chunk *chunk;
    assert_int_equal(trace_input_open(&in, path), 0);
    while (trace_input_next_chunk(in, &chunk) == 0 && chunk != NULL) {
        assert_int_equal(buf_append(out, chunk->data, chunk->len), 0);
        trace_chunk_unref(chunk);
    }
    trace_input_close(in);
}

/* Compares the copies of two Snappy files, of which only the first has chunks that can be reused. Returns the
 * size of the first copy. */
static size_t check_change(const struct sample_file *literal, const struct sample_file *other,
                           const struct change *change)
{
    struct sample_file reused, anew;
    struct buf found = BUF_INIT, expected = BUF_INIT;
    sample_file_open(&reused);
    sample_file_open(&anew);
    copy(literal->path, &reused, change);
    copy(other->path, &anew, change);
    read_stream(reused.path, &found);
    read_stream(anew.path, &expected);
    assert_int_equal(found.len, expected.len);
    assert_memory_equal(found.data, expected.data, found.len);
    buf_fini(&found);
    buf_fini(&expected);
    size_t size = (size_t)lseek(reused.fd, 0, SEEK_END);
    sample_file_close(&reused);
    sample_file_close(&anew);
    return size;
}

static void test_changes(void **state)
{
    (void)state;
    static const struct {
        struct change change;
        size_t reused; /* minimum number of reused chunks */
    } cases[] = {
        {{-1, -1, UINT64_MAX}, 5},    {{-1, 2, UINT64_MAX}, 5},     {{-1, 30000, UINT64_MAX}, 4},
        {{-1, 45000, UINT64_MAX}, 4}, {{45000, -1, UINT64_MAX}, 3}, /* later calls get other numbers, but
                                                                       blobs are copied unchanged */
        {{0, -1, UINT64_MAX}, 1},     {{-1, -1, 50000}, 2},         {{29999, 25000, 52000}, 0},
    };
    struct sample_file literal, other;
    struct buf stream = BUF_INIT;
    make_stream(&stream);
    sample_file_open(&literal);
    sample_file_open(&other);
    pack_literally(&literal, &stream);
    sample_file_pack(&other, TRACE_CONTAINER_ZSTD, stream.data, stream.len);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        size_t size = check_change(&literal, &other, &cases[i].change);
        assert_true(size >= cases[i].reused * CHUNK);
    }
    sample_file_close(&literal);
    sample_file_close(&other);
    buf_fini(&stream);
}

/* Chunks among other bytes, as in repack, with and without threads. */
static void test_chunks_between(void **state)
{
    (void)state;
    struct sample_file literal, out;
    struct buf stream = BUF_INIT, expected = BUF_INIT, found = BUF_INIT;
    make_stream(&stream);
    sample_file_open(&literal);
    sample_file_open(&out);
    pack_literally(&literal, &stream);
    for (unsigned jobs = 0; jobs < 3; ++jobs) {
        struct trace_input *in;
        struct trace_output *output;
        struct trace_chunk *chunk;
        buf_clear(&expected);
        buf_clear(&found);
        assert_int_equal(ftruncate(out.fd, 0), 0);
        lseek(out.fd, 0, SEEK_SET);
        assert_int_equal(trace_input_open(&in, literal.path), 0);
        trace_input_keep_compressed(in);
        assert_int_equal(trace_output_open_fd(&output, out.fd, TRACE_CONTAINER_SNAPPY, -1, jobs), 0);
        for (unsigned i = 0; trace_input_next_chunk(in, &chunk) == 0 && chunk != NULL; ++i) {
            size_t extra = i % 3 == 1 ? 1000 * i : 0;
            assert_int_equal(trace_output_write(output, stream.data, extra), 0);
            assert_int_equal(buf_append(&expected, stream.data, extra), 0);
            assert_int_equal(buf_append(&expected, chunk->data, chunk->len), 0);
            assert_int_equal(trace_output_write_chunk(output, chunk), 0);
        }
        trace_input_close(in);
        assert_int_equal(trace_output_close(output), 0);
        read_stream(out.path, &found);
        assert_int_equal(found.len, expected.len);
        assert_memory_equal(found.data, expected.data, found.len);
        assert_true((size_t)lseek(out.fd, 0, SEEK_END) >= 8 * CHUNK);
    }
    sample_file_close(&literal);
    sample_file_close(&out);
    buf_fini(&stream);
    buf_fini(&expected);
    buf_fini(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes), cmocka_unit_test(test_chunks_between)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
