/* SPDX-License-Identifier: MIT
 * Tests the list of modules in the index of a trace.
 */
#include "base/error.h"
#include "cmocka_all.h"
#include "formats/apitrace/container/codecs.h"
#include "formats/apitrace/copy/index_events.h"
#include "formats/apitrace/index/index_modules.h"
#include "formats/apitrace/index/index_writer.h"
#include "trace_samples.h"

#include <string.h>

static const uint8_t id[70] = {1, 2, 3};
static const struct trace_module samples[] = {{"/usr/bin/app", 0x400000, id, 20},
                                              {"./lib.so", 0, id, 0},
                                              {"", UINT64_MAX, id, 64},
                                              {"/usr/bin/app", 0, id, 8}};
#define SAMPLES (sizeof samples / sizeof samples[0])

/* An index of a trace without events. */
struct fixture {
    struct trace_index_builder *builder;
    struct sample_file file;
    struct trace_file opened;
    struct trace_index *index;
    struct trace_modules modules;
};

static void begin(struct fixture *f)
{
    assert_int_equal(trace_index_builder_new(&f->builder), 0);
    sample_file_open(&f->file);
}

static void reopen(struct fixture *f)
{
    const struct trace_codec *codec = trace_codec_of(TRACE_CONTAINER_SNAPPY);
    struct trace_chunk_list none = {.count = 0};
    uint64_t size;
    assert_int_equal(trace_index_write(f->builder, codec, &none, f->file.fd, 0, &size), 0);
    assert_int_equal(trace_file_open(&f->opened, f->file.path), 0);
    assert_int_equal(trace_index_open(&f->index, &f->opened, codec->index_wrap, size), 0);
    assert_non_null(f->index);
}

static void end(struct fixture *f)
{
    trace_modules_fini(&f->modules);
    trace_index_close(f->index);
    trace_file_close(&f->opened);
    sample_file_close(&f->file);
    trace_index_builder_free(f->builder);
}

static void expect_samples(const struct trace_modules *m)
{
    assert_int_equal(m->count, SAMPLES);
    for (size_t i = 0; i < SAMPLES; ++i) {
        assert_string_equal(m->list[i].path, samples[i].path);
        assert_true(m->list[i].address == samples[i].address);
        assert_int_equal(m->list[i].build_id_size, samples[i].build_id_size);
        assert_memory_equal(m->list[i].build_id, samples[i].build_id, samples[i].build_id_size);
    }
}

static void test_kept(void **state)
{
    (void)state;
    struct fixture first, second;
    begin(&first);
    for (size_t i = 0; i < SAMPLES; ++i)
        assert_int_equal(trace_index_builder_add_module(first.builder, &samples[i]), 0);
    reopen(&first);
    assert_int_equal(trace_modules_read(&first.modules, first.index), 0);
    expect_samples(&first.modules);
    begin(&second);
    assert_int_equal(trace_index_keep(second.builder, first.index), 0);
    reopen(&second);
    assert_int_equal(trace_modules_read(&second.modules, second.index), 0);
    expect_samples(&second.modules);
    end(&first);
    end(&second);
}

static void test_none(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    assert_int_equal(trace_index_keep(f.builder, NULL), 0);
    reopen(&f);
    assert_int_equal(trace_modules_read(&f.modules, f.index), 0);
    assert_int_equal(f.modules.count, 0);
    end(&f);
}

static void test_no_build_id_is_so_long(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    assert_int_equal(trace_index_builder_add_module(f.builder, &samples[0]), 0);
    assert_int_equal(trace_index_builder_add_module(f.builder, &(struct trace_module){"x", 0, id, 65}), 0);
    reopen(&f);
    assert_int_equal(trace_modules_read(&f.modules, f.index), TRACE_ERR_FORMAT);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_no_build_id_is_so_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
