/* SPDX-License-Identifier: MIT
 * Tests Snappy chunks: of any size, the one that ends the stream, and those whose length is false.
 */
#include "base/error.h"
#include "base/varint.h"
#include "formats/apitrace/container/codec.h"
#include "formats/apitrace/container/codecs.h"
#include "formats/apitrace/read/reader.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <snappy-c.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define LARGE_BYTES ((size_t)5 * 1024 * 1024 + 12345) /* several chunks */

static void expect_chunk(struct sample_file *file, const uint8_t *bytes, size_t size, char *chunk)
{
    size_t count = snappy_max_compressed_length(size);
    assert_int_equal(snappy_compress((const char *)bytes, size, chunk + 6, &count), SNAPPY_OK);
    memcpy(chunk, "at", 2);
    for (unsigned i = 0; i < 4; ++i)
        chunk[2 + i] = (char)(count >> (8 * i));
    sample_file_set(file, chunk, 6 + count);
    sample_file_expect_stream(file, bytes, size, 77777);
}

/* Snappy chunks of any size, of bytes that compress half or very well. There may be no room for the
 * compressed bytes beside the data. */
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

/* A chunk of length 0 ends the stream. Anything may follow it. */
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
    sample_file_expect_stream(&file, stream, sizeof stream, 1000);
    sample_file_close(&file);
    buf_fini(&bytes);
}

/* A tiny Snappy block that claims to expand to four gigabytes must not cost four gigabytes. */
static void test_claimed_size(void **state)
{
    (void)state;
    static const uint8_t huge[] = {'a', 't', 8, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 6, 0};
    struct sample_file file;
    struct trace_reader *reader;
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* which need more memory */
    const struct rlimit limit = {(rlim_t)2 << 30, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
#endif
    sample_file_open(&file);
    sample_file_set(&file, huge, sizeof huge);
    assert_int_equal(trace_reader_open(&reader, file.path), TRACE_ERR_FORMAT);
    assert_non_null(strstr(trace_error_message(), "corrupt Snappy"));
    sample_file_close(&file);
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
}

/* Returns how much memory is reserved for a chunk that claims to expand to `claimed` bytes; it has `count`
 * bytes. */
static size_t reserve_for(struct sample_file *f, uint64_t claimed, size_t count)
{
    const struct trace_codec *codec = trace_codec_of(TRACE_CONTAINER_SNAPPY);
    struct trace_chunk_pool *pool;
    struct trace_chunk_job job;
    struct trace_file file;
    struct buf scratch = BUF_INIT;
    uint8_t bytes[100] = {'a', 't', (uint8_t)count};
    void *reader;
    varint_put(bytes + 6, claimed);
    sample_file_set(f, bytes, 6 + count);
    assert_int_equal(trace_file_open(&file, f->path), 0);
    assert_int_equal(trace_chunk_pool_new(&pool), 0);
    struct trace_chunk *chunk = trace_chunk_new(pool, 0);
    assert_non_null(chunk);
    assert_int_equal(codec->reader_open(&reader, &file), 0);
    assert_int_equal(codec->reader_claim(reader, &job), 1);
    assert_int_equal(codec->reader_produce(reader, &job, &scratch, chunk), TRACE_ERR_FORMAT);
    assert_non_null(strstr(trace_error_message(), "corrupt Snappy"));
    size_t reserved = chunk->cap;
    codec->reader_close(reader);
    trace_chunk_unref(chunk);
    trace_chunk_pool_free(pool);
    trace_file_close(&file);
    buf_fini(&scratch);
    return reserved;
}

/* No chunk gets more memory than its bytes can expand to, which is 64 times their number. */
static void test_claimed_sizes(void **state)
{
    (void)state;
    struct sample_file file;
    sample_file_open(&file);
    for (size_t count = 8; count <= 90; ++count) {
        assert_int_equal(reserve_for(&file, count * 64, count), count * 64);
        assert_int_equal(reserve_for(&file, count * 64 + 63, count), count * 64 + 63);
        assert_int_equal(reserve_for(&file, count * 64 + 64, count), 0);
        assert_int_equal(reserve_for(&file, count * 65536, count), 0);
    }
    sample_file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_chunks),
        cmocka_unit_test(test_index),
        cmocka_unit_test(test_claimed_size),
        cmocka_unit_test(test_claimed_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
