/* SPDX-License-Identifier: MIT
 * Tests thousands of damaged traces, from a fixed seed: the reader, the encoder and the dump must end without
 * a crash or an out-of-bounds access (run it under a sanitizer).
 */
#include "base/error.h"
#include "trace/text/trace_json.h"
#include "trace/text/call_text.h"
#include "formats/apitrace/read/reader.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

static uint32_t seed = 20240229;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

struct statistics {
    unsigned opened;
    unsigned whole; /* number of files read to the end without an error */
    unsigned long calls;
};

/* Reads everything, and does with each call what commands do. */
static void read_all(const char *path, struct trace_call_text *formatter, struct trace_json *json,
                     struct statistics *stats)
{
    struct trace_reader *reader;
    struct buf bytes = BUF_INIT;
    struct trace_encoder encoder;
    const struct trace_call *call = NULL;
    int rc = trace_reader_open(&reader, path);
    if (rc != 0) {
        assert_true(trace_error_message()[0] != '\0');
        return;
    }
    stats->opened++;
    trace_encoder_init(&encoder, &bytes);
    if (next_random() % 2 == 0)
        trace_reader_resume_after_damage(reader);
    do {
        rc = trace_reader_next_call(reader, &call);
        if (rc == 0 && call != NULL) {
            trace_encode_call_enter(&encoder, call);
            trace_encode_call_leave(&encoder, call->number, call, false);
            trace_call_text_add(formatter, call);
            assert_int_equal(trace_json_call(json, call, trace_reader_frame(reader)), 0);
            trace_call_release(reader, call);
            stats->calls++;
        }
        buf_clear(&bytes);
        buf_clear(&formatter->out);
        buf_clear(&json->out);
    } while ((rc == 0 && call != NULL) || rc == TRACE_ERR_TRUNCATED || rc == TRACE_ERR_DAMAGED);
    stats->whole += rc == 0;
    trace_call_text_forget_signatures(formatter);
    trace_json_forget_signatures(json);
    trace_encoder_fini(&encoder);
    buf_fini(&bytes);
    trace_reader_close(reader);
}

static void mutate(struct buf *b)
{
    unsigned changes = 1 + next_random() % 4;
    for (unsigned i = 0; i < changes && b->len > 8; ++i) {
        size_t at = next_random() % b->len;
        switch (next_random() % 5) {
        case 0:
            b->data[at] ^= (uint8_t)(1u << (next_random() % 8));
            break;
        case 1:
            b->data[at] = (uint8_t)next_random();
            break;
        case 2: /* cut the end off */
            b->len = at + 1;
            break;
        case 3: { /* remove bytes */
            size_t n = 1 + next_random() % 8;
            n = n < b->len - at ? n : b->len - at;
            memmove(b->data + at, b->data + at + n, b->len - at - n);
            b->len -= n;
            break;
        }
        default: /* insert a large number */
            memset(b->data + at, 0xff, b->len - at < 4 ? b->len - at : 4);
        }
    }
}

/* base: a stream that is packed after the change, or a whole file. */
static void run(const struct buf *base, bool pack, unsigned rounds, struct statistics *stats)
{
    struct trace_call_text *formatter = malloc(sizeof *formatter);
    struct trace_json *json = malloc(sizeof *json);
    struct trace_call_text_style style = {
        .call_nos = true, .thread_ids = true, .arg_names = true, .multiline = true, .color = true};
    struct sample_file file;
    struct buf copy = BUF_INIT;
    assert_non_null(formatter);
    assert_non_null(json);
    trace_json_init(json, TRACE_JSON_BLOBS_INLINE);
    trace_call_text_init(formatter, &style);
    sample_file_open(&file);
    for (unsigned i = 0; i < rounds; ++i) {
        buf_clear(&copy);
        assert_int_equal(buf_append(&copy, base->data, base->len), 0);
        mutate(&copy);
        if (pack)
            sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, copy.data, copy.len);
        else
            sample_file_set(&file, copy.data, copy.len);
        read_all(file.path, formatter, json, stats);
    }
    sample_file_close(&file);
    buf_fini(&copy);
    trace_call_text_fini(formatter);
    free(formatter);
    trace_json_fini(json);
    free(json);
}

static void test_streams(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct statistics stats = {0};
    sample_encode_stream(&stream);
    run(&stream, true, 6000, &stats);
    buf_fini(&stream);
    assert_true(stats.opened > 3000 && stats.whole > 100 && stats.whole < stats.opened);
    assert_true(stats.calls > 6000);
}

static void test_files(void **state)
{
    (void)state;
    static const enum trace_container containers[] = {TRACE_CONTAINER_SNAPPY, TRACE_CONTAINER_ZLIB,
                                                      TRACE_CONTAINER_BROTLI, TRACE_CONTAINER_ZSTD};
    struct buf stream = BUF_INIT;
    sample_encode_stream(&stream);
    for (unsigned c = 0; c < 4; ++c) {
        struct statistics stats = {0};
        struct sample_file file;
        struct buf packed = BUF_INIT;
        sample_file_open(&file);
        sample_file_pack(&file, containers[c], stream.data, stream.len);
        sample_file_get(&file, &packed);
        run(&packed, false, 1500, &stats);
        /* Zstandard has checksums, which find almost any damage */
        assert_true(stats.opened > (containers[c] == TRACE_CONTAINER_ZSTD ? 0 : 100));
        sample_file_close(&file);
        buf_fini(&packed);
    }
    buf_fini(&stream);
}

/* Random bytes after a header. */
static void test_noise(void **state)
{
    (void)state;
    struct statistics stats = {0};
    struct buf noise = BUF_INIT;
    assert_int_equal(buf_append(&noise, "\6\6\0", 3), 0);
    for (unsigned i = 0; i < 400; ++i)
        assert_int_equal(buf_append_byte(&noise, (uint8_t)(next_random() % 17)), 0);
    run(&noise, true, 3000, &stats);
    buf_fini(&noise);
    assert_true(stats.opened > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
