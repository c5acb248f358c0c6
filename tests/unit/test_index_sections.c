/* SPDX-License-Identifier: MIT
 * Tests sections of the index: what is appended can be read anywhere, even from sections that exceed the
 * memory limit and use a temporary file.
 */
#include "base/error.h"
#include "formats/apitrace/index/section_reader.h"
#include "formats/apitrace/index/section_writer.h"
#include "trace_samples.h"

#include "cmocka_all.h"
#include "next_random.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEMORY (((size_t)4 << 20) + 2 * TRACE_BLOCK_SIZE) /* limit for memory beyond the stored data */
#define BEFORE 100u                                       /* number of bytes before the section */

struct section {
    struct sample_file file;
    struct trace_file opened;
    struct trace_index_bytes bytes;
    struct trace_section_reader reader;
};

static void write_section(struct section *s, struct trace_section_writer *w, size_t columns)
{
    uint8_t before[BEFORE] = {1};
    assert_int_equal(trace_section_finish(w), 0);
    assert_true(w->stored.len < MEMORY);
    uint64_t size = trace_section_size(w);
    struct trace_index_sink sink = {.fd = s->file.fd, .left = BEFORE + size};
    assert_int_equal(trace_index_sink_write(&sink, before, BEFORE), 0);
    assert_int_equal(trace_section_write(w, &sink), 0);
    assert_int_equal(lseek(s->file.fd, 0, SEEK_END), (off_t)(BEFORE + size));
    assert_int_equal(trace_file_open(&s->opened, s->file.path), 0);
    s->bytes = (struct trace_index_bytes){.file = &s->opened, .size = BEFORE + size};
    assert_int_equal(trace_section_reader_init(&s->reader, BEFORE, size, w->raw_size, columns), 0);
}

static void section_close(struct section *s)
{
    trace_section_reader_fini(&s->reader);
    trace_file_close(&s->opened);
    sample_file_close(&s->file);
}

static void append_pieces(struct trace_section_writer *w, const uint8_t *bytes, size_t count)
{
    for (size_t at = 0, n; at < count; at += n) {
        n = 1 + (size_t)(next_random() % 100000);
        n = n < count - at ? n : count - at;
        assert_int_equal(trace_section_append(w, bytes + at, n), 0);
    }
}

static void check_bytes(const uint8_t *bytes, size_t count)
{
    struct section s = {.file = {.fd = -1}};
    struct trace_section_compressor compressor = {NULL};
    struct trace_section_writer w;
    uint8_t *found = malloc(count + 1);
    assert_non_null(found);
    sample_file_open(&s.file);
    trace_section_writer_init(&w, &compressor);
    append_pieces(&w, bytes, count);
    assert_int_equal(w.raw_size, count);
    write_section(&s, &w, 0);
    assert_int_equal(trace_section_read(&s.reader, &s.bytes, 0, found, count), 0);
    assert_memory_equal(found, bytes, count);
    for (unsigned i = 0; i < 50; ++i) {
        size_t at = (size_t)(next_random() % count), n = (size_t)(next_random() % (count - at));
        n = n < 200000 ? n : 200000;
        assert_int_equal(trace_section_read(&s.reader, &s.bytes, at, found, n), 0);
        assert_memory_equal(found, bytes + at, n);
    }
    assert_int_equal(trace_section_read(&s.reader, &s.bytes, count, found, 1), TRACE_ERR_FORMAT);
    assert_int_equal(trace_section_read(&s.reader, &s.bytes, 0, found, count + 1), TRACE_ERR_FORMAT);
    section_close(&s);
    trace_section_writer_fini(&w);
    trace_section_compressor_fini(&compressor);
    free(found);
}

/* Sizes near a block's, and several times the memory limit, of incompressible bytes and of equal ones. */
static void test_bytes(void **state)
{
    (void)state;
    static const size_t sizes[] = {1,
                                   TRACE_BLOCK_SIZE - 1,
                                   TRACE_BLOCK_SIZE,
                                   TRACE_BLOCK_SIZE + 1,
                                   3 * TRACE_BLOCK_SIZE,
                                   (size_t)14 << 20};
    size_t most = sizes[sizeof sizes / sizeof *sizes - 1];
    uint8_t *bytes = malloc(most);
    assert_non_null(bytes);
    for (size_t i = 0; i < most; ++i)
        bytes[i] = (uint8_t)(next_random() >> 40);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        check_bytes(bytes, sizes[i]);
    memset(bytes, 7, most);
    check_bytes(bytes, most);
    free(bytes);
}

static void number_row(uint64_t row, uint64_t numbers[3])
{
    numbers[0] = row * 1000 + row % 7;
    numbers[1] = (row ^ row << 21) * 0x9e3779b97f4a7c15u; /* incompressible */
    numbers[1] ^= numbers[1] >> 29;
    numbers[1] *= 0xbf58476d1ce4e5b9u;
    numbers[2] = row % 5 == 0 ? UINT64_MAX : 0;
}

static void test_tables(void **state)
{
    (void)state;
    enum { ROWS = 700000 };
    struct section s = {.file = {.fd = -1}};
    struct trace_section_compressor compressor = {NULL};
    struct trace_section_writer w;
    uint64_t numbers[3], found[3];
    sample_file_open(&s.file);
    trace_section_writer_init(&w, &compressor);
    for (uint64_t i = 0; i < ROWS; ++i) {
        number_row(i, numbers);
        assert_int_equal(trace_section_append_numbers(&w, numbers, 3), 0);
    }
    write_section(&s, &w, 3);
    assert_true(w.stored_size > MEMORY);
    for (uint64_t i = 0; i < 20000; ++i) {
        uint64_t row = i < 3000 ? i : i == 3000 ? ROWS - 1 : i < 3100 ? next_random() % ROWS : 300000 + i;
        number_row(row, numbers);
        assert_int_equal(trace_section_read_numbers(&s.reader, &s.bytes, row, found, 3), 0);
        assert_memory_equal(found, numbers, sizeof found);
    }
    assert_int_equal(trace_section_read_numbers(&s.reader, &s.bytes, ROWS, found, 3), TRACE_ERR_FORMAT);
    section_close(&s);
    trace_section_writer_fini(&w);
    trace_section_compressor_fini(&compressor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes), cmocka_unit_test(test_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
