/* SPDX-License-Identifier: MIT
 * Tests indices that are added to existing files: building it again gives the same index, and a damaged index
 * is detected and restored.
 */
#include "base/error.h"
#include "formats/apitrace/container/codecs.h"
#include "formats/apitrace/copy/index_file.h"
#include "formats/apitrace/index/index_reader.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <string.h>
#include <unistd.h>

#define STEP 3 /* distance of the damaged bytes */

static const struct trace_progress_callback nobody = {NULL, NULL};

/* Writes an index to the file. Returns false if the file already has one; then nothing is written. */
static bool make_index(const struct sample_file *f, bool again, bool *had_problem)
{
    struct trace_index_file *made;
    assert_int_equal(trace_index_file_read(&made, f->path, again, nobody), 0);
    if (made == NULL)
        return false;
    *had_problem = trace_index_file_problem(made) != NULL;
    off_t start = (off_t)trace_index_file_start(made);
    assert_int_equal(ftruncate(f->fd, start), 0);
    assert_int_equal(lseek(f->fd, start, SEEK_SET), start);
    assert_int_equal(trace_index_file_write(made, f->fd), 0);
    trace_index_file_free(made);
    return true;
}

static void expect_bytes(const struct sample_file *f, const struct buf *bytes)
{
    struct buf found = BUF_INIT;
    sample_file_get(f, &found);
    assert_int_equal(found.len, bytes->len);
    assert_memory_equal(found.data, bytes->data, bytes->len);
    buf_fini(&found);
}

/* Creates a trace with an index, in this container. */
static void make_indexed(struct sample_file *f, enum trace_container container, struct buf *bytes)
{
    struct buf stream = BUF_INIT;
    bool had_problem;
    sample_file_open(f);
    sample_encode_stream(&stream);
    sample_file_pack(f, container, stream.data, stream.len);
    assert_true(make_index(f, false, &had_problem));
    assert_false(had_problem);
    sample_file_get(f, bytes);
    buf_fini(&stream);
}

static void test_again(void **state)
{
    struct sample_file file;
    struct buf bytes = BUF_INIT;
    bool had_problem;
    make_indexed(&file, *(const enum trace_container *)*state, &bytes);
    assert_false(make_index(&file, false, &had_problem));
    for (int i = 0; i < 2; ++i) {
        assert_true(make_index(&file, true, &had_problem));
        assert_false(had_problem);
        expect_bytes(&file, &bytes);
    }
    sample_file_close(&file);
    buf_fini(&bytes);
}

/* Returns the offset behind the mark, which occurs once. */
static size_t find_behind(const struct buf *bytes, const uint8_t *mark, size_t size)
{
    const uint8_t *at = memmem(bytes->data, bytes->len, mark, size);
    assert_non_null(at);
    return (size_t)(at - bytes->data) + size;
}

static void test_damage(void **state)
{
    struct sample_file file;
    struct buf bytes = BUF_INIT;
    make_indexed(&file, *(const enum trace_container *)*state, &bytes);
    size_t at = find_behind(&bytes, trace_index_head, sizeof trace_index_head);
    size_t end = find_behind(&bytes, trace_index_magic, sizeof trace_index_magic);
    assert_true(end > at + 500);
    for (; at < end; at += STEP) {
        bool had_problem = false;
        bytes.data[at] ^= 0x10;
        sample_file_set(&file, bytes.data, bytes.len);
        bytes.data[at] ^= 0x10;
        assert_true(make_index(&file, false, &had_problem));
        assert_true(had_problem);
        expect_bytes(&file, &bytes);
    }
    sample_file_close(&file);
    buf_fini(&bytes);
}

/* The index lists exactly the chunks of the stream. */
static void test_chunks(void **state)
{
    const struct trace_codec *codec = trace_codec_of(*(const enum trace_container *)*state);
    struct sample_file file;
    struct buf bytes = BUF_INIT;
    struct trace_file opened;
    struct trace_index *index;
    struct trace_chunk_entry entry;
    make_indexed(&file, *(const enum trace_container *)*state, &bytes);
    uint64_t end = find_behind(&bytes, trace_index_magic, sizeof trace_index_magic);
    if (codec->index_wrap != NULL)
        end += codec->index_wrap->after;
    assert_int_equal(trace_file_open(&opened, file.path), 0);
    assert_int_equal(trace_index_open(&index, &opened, codec->index_wrap, end), 0);
    assert_non_null(index);
    assert_int_equal(trace_index_chunk_count(index), 1);
    assert_int_equal(trace_index_chunk(index, 0, &entry), 0);
    assert_true(entry.size > 1000);
    trace_index_close(index);
    trace_file_close(&opened);
    sample_file_close(&file);
    buf_fini(&bytes);
}

#define TEST_ALL(test)                                                                                       \
    cmocka_unit_test_prestate(test, &containers[0]), cmocka_unit_test_prestate(test, &containers[1]),        \
        cmocka_unit_test_prestate(test, &containers[2]), cmocka_unit_test_prestate(test, &containers[3])

int main(void)
{
    static enum trace_container containers[] = {TRACE_CONTAINERS(TRACE_CONTAINER_ID)};
    const struct CMUnitTest tests[] = {
        TEST_ALL(test_again),
        TEST_ALL(test_damage),
        TEST_ALL(test_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
