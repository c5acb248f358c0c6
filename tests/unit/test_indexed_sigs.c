/* SPDX-License-Identifier: MIT
 * Tests the limit for signatures in the index of a trace: a small section must not claim to be a huge one.
 */
#include "base/error.h"
#include "cmocka_all.h"
#include "formats/apitrace/container/codecs.h"
#include "formats/apitrace/index/index_writer.h"
#include "formats/apitrace/index/indexed_sigs.h"
#include "next_random.h"
#include "trace_samples.h"

#define SIGNATURES 2000
#define SIG_BYTES  1000
#define LIMIT      256 /* highest allowed ratio of size to stored size */

/* Adds signatures of zeros. `share` of 16 have a random byte, and so compress less well. */
static void add_signatures(struct trace_index_builder *b, unsigned share)
{
    for (unsigned i = 0; i < SIGNATURES; ++i) {
        uint8_t bytes[SIG_BYTES] = {0};
        const struct trace_definition definition = {TRACE_SIG_FUNCTION, 0, SIG_BYTES};
        const struct trace_raw_event event = {.tag = TRACE_RAW_EVENT_ENTER,
                                              .bytes = bytes,
                                              .size = SIG_BYTES,
                                              .offset = (uint64_t)i * SIG_BYTES,
                                              .call = i,
                                              .time = TRACE_NO_TIME,
                                              .definitions = &definition,
                                              .definition_count = 1};
        bytes[0] = 5;
        bytes[1] = i % 16 < share ? (uint8_t)next_random() : 0;
        assert_int_equal(trace_index_builder_add(b, &event), 0);
    }
}

/* Returns the number of signatures that can be read, or an error. */
static int read_signatures(struct trace_index *t)
{
    struct trace_sig_place place = {0, 0, 0};
    struct trace_indexed_sig sig;
    struct buf bytes = BUF_INIT;
    bool found = true;
    int count = 0, rc = 0;
    for (; rc == 0 && found; count += rc == 0 && found)
        rc = trace_indexed_sig_next(t, &place, UINT64_MAX, &bytes, &sig, &found);
    buf_fini(&bytes);
    return rc != 0 ? rc : count;
}

/* Returns the ratio of the section. */
static uint64_t check_ratio(unsigned share)
{
    const struct trace_codec *codec = trace_codec_of(TRACE_CONTAINER_SNAPPY);
    struct trace_chunk_entry chunk = {.length = 1, .size = SIGNATURES * SIG_BYTES};
    const struct trace_chunk_list chunks = {.entries = &chunk, .count = 1};
    struct trace_index_builder *builder;
    struct trace_index *index;
    struct sample_file file;
    struct trace_file opened;
    uint64_t size;
    sample_file_open(&file);
    assert_int_equal(trace_index_builder_new(&builder), 0);
    add_signatures(builder, share);
    assert_int_equal(trace_index_write(builder, codec, &chunks, file.fd, 0, &size), 0);
    trace_index_builder_free(builder);
    assert_int_equal(trace_file_open(&opened, file.path), 0);
    assert_int_equal(trace_index_open(&index, &opened, codec->index_wrap, size), 0);
    uint64_t ratio = trace_index_section_size(index, TRACE_SECTION_SIGNATURES) /
                     trace_index_section_stored_size(index, TRACE_SECTION_SIGNATURES);
    assert_int_equal(read_signatures(index), ratio > LIMIT ? TRACE_ERR_FORMAT : SIGNATURES);
    trace_index_close(index);
    trace_file_close(&opened);
    sample_file_close(&file);
    return ratio;
}

static void test_ratio(void **state)
{
    unsigned allowed = 0, refused = 0;
    (void)state;
    for (unsigned share = 0; share <= 16; ++share) {
        uint64_t ratio = check_ratio(share);
        allowed += ratio > LIMIT / 2 && ratio <= LIMIT;
        refused += ratio > LIMIT && ratio < 3 * LIMIT / 2;
    }
    assert_true(allowed > 0 && refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
