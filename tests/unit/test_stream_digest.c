/* SPDX-License-Identifier: MIT
 * Tests the verification of a file against the expected stream: every kind of difference is found.
 */
#include "edit/stream_digest.h"

#include "base/error.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <string.h>

#define BYTES 200000u

static uint8_t stream[BYTES];

static void make_stream(struct stream_digest *digest)
{
    for (size_t i = 0; i < BYTES; ++i)
        stream[i] = (uint8_t)(i * i >> 7);
    stream[0] = 6;
    assert_int_equal(stream_digest_init(digest), 0);
    stream_digest_add(digest, stream, 1000);
    stream_digest_add(digest, stream + 1000, BYTES - 1000);
}

static void test_same_stream(void **state)
{
    (void)state;
    struct stream_digest digest;
    struct sample_file file;
    make_stream(&digest);
    sample_file_open(&file);
    for (int c = TRACE_CONTAINER_SNAPPY; c <= TRACE_CONTAINER_ZSTD; ++c) {
        sample_file_pack(&file, (enum trace_container)c, stream, BYTES);
        assert_int_equal(stream_digest_verify(&digest, file.path), 0);
    }
    sample_file_close(&file);
    stream_digest_fini(&digest);
}

static void test_other_streams(void **state)
{
    (void)state;
    struct stream_digest digest;
    struct sample_file file;
    make_stream(&digest);
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream, BYTES - 1);
    assert_int_equal(stream_digest_verify(&digest, file.path), TRACE_ERR_FORMAT);
    assert_non_null(strstr(trace_error_message(), "holds 199999 bytes of the event stream, not the 200000"));
    stream[BYTES / 2] ^= 1;
    sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream, BYTES);
    assert_int_equal(stream_digest_verify(&digest, file.path), TRACE_ERR_FORMAT);
    assert_non_null(strstr(trace_error_message(), "the event stream differs from the input"));
    sample_file_close(&file);
    stream_digest_fini(&digest);
}

/* A flipped bit and a truncated file, in each container. */
static void test_damaged_files(void **state)
{
    (void)state;
    struct stream_digest digest;
    struct sample_file file;
    make_stream(&digest);
    sample_file_open(&file);
    for (int c = TRACE_CONTAINER_SNAPPY; c <= TRACE_CONTAINER_ZSTD; ++c) {
        struct buf bytes = BUF_INIT;
        sample_file_pack(&file, (enum trace_container)c, stream, BYTES);
        sample_file_get(&file, &bytes);
        bytes.data[bytes.len / 2] ^= 0x10;
        sample_file_set(&file, bytes.data, bytes.len);
        assert_int_not_equal(stream_digest_verify(&digest, file.path), 0);
        bytes.data[bytes.len / 2] ^= 0x10;
        sample_file_set(&file, bytes.data, bytes.len);
        assert_int_equal(stream_digest_verify(&digest, file.path), 0);
        sample_file_set(&file, bytes.data, bytes.len / 2);
        assert_int_not_equal(stream_digest_verify(&digest, file.path), 0);
        buf_fini(&bytes);
    }
    sample_file_close(&file);
    stream_digest_fini(&digest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_stream),
        cmocka_unit_test(test_other_streams),
        cmocka_unit_test(test_damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
