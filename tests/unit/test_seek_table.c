/* SPDX-License-Identifier: MIT
 * Tests seekable Zstandard: with a valid table, a file can be read in any order; otherwise it is still a
 * stream with all its bytes.
 */
#include "base/error.h"
#include "formats/apitrace/read/input.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#define LARGE_BYTES ((size_t)5 * 1024 * 1024 + 12345) /* several chunks */

static void expect_container(const struct sample_file *f, const char *name)
{
    struct trace_input *in;
    assert_int_equal(trace_input_open(&in, f->path), 0);
    assert_string_equal(trace_input_container(in), name);
    trace_input_close(in);
}

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
        /* If the table is not a skippable frame, the stream is complete, and damaged after its last byte. */
        if (changes[i].from_end < 9 + 3 * 12)
            sample_file_expect_stream(&file, bytes, LARGE_BYTES, 77777);
        *changed ^= changes[i].flip;
    }
    sample_file_set(&file, packed.data, packed.len - (9 + 3 * 12 + 8));
    expect_container(&file, "Zstandard");
    sample_file_expect_stream(&file, bytes, LARGE_BYTES, 77777);
    sample_file_close(&file);
    buf_fini(&packed);
    free(bytes);
}

/* Frames that are not in the table. A reader that trusts the table would lose them. */
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
    one.len -= 8 + 12 + 9; /* the table of its single frame: header, entry, footer */
    sample_file_pack(&file, TRACE_CONTAINER_ZSTD, bytes, LARGE_BYTES);
    sample_file_get(&file, &both);
    size_t frames = both.len - (8 + 12 * (size_t)both.data[both.len - 9] + 9);
    struct buf file_bytes = BUF_INIT;
    assert_int_equal(buf_append(&file_bytes, both.data, frames), 0);
    assert_int_equal(buf_append(&file_bytes, one.data, one.len), 0);
    assert_int_equal(buf_append(&file_bytes, both.data + frames, both.len - frames), 0);
    sample_file_set(&file, file_bytes.data, file_bytes.len);
    expect_container(&file, "Zstandard");
    sample_file_expect_stream(&file, bytes, LARGE_BYTES + 1000, 77777);
    sample_file_close(&file);
    buf_fini(&file_bytes);
    buf_fini(&both);
    buf_fini(&one);
    free(bytes);
}

/* A frame that does not have the checksum in the table. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seek_table),
        cmocka_unit_test(test_frames_outside_the_table),
        cmocka_unit_test(test_seek_checksum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
