/* SPDX-License-Identifier: MIT */
/* Reads back what the collector puts into the index of a trace: times, to their resolution, and what follows
 * from the events. */
#include "cmocka_all.h"
#include "collector/event_index.h"
#include "records/plain_records.h"

#include "base/error.h"
#include "spec_ids.h"
#include "formats/apitrace/index/index_writer.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/read/reader.h"
#include "formats/apitrace/index/index_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
    struct record_encoder encoder;
    struct record_thread thread;
    struct event_index index;
    struct trace_output *output;
    int fd;
    char path[40];
    bool quick; /* records are encoded the fast way where possible */
    uint64_t plain_events;
};

static struct fixture *start(enum capture_clock clock)
{
    struct fixture *f = calloc(1, sizeof *f);
    strcpy(f->path, "event-index-XXXXXX");
    f->fd = mkstemp(f->path);
    const struct tick_pair early = tick_clock_measure(clock);
    assert_int_equal(record_encoder_init(&f->encoder), 0);
    assert_int_equal(event_index_init(&f->index, &f->encoder, clock, &early), 0);
    assert_int_equal(trace_output_open_fd(&f->output, f->fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0),
                     0);
    record_encode_header(&f->encoder, "/a/program", "");
    return f;
}

/* Returns false if the record is not plain. */
static bool encode_plain(struct fixture *f, const struct record *r, uint64_t ticks, const uint64_t *words,
                         unsigned count)
{
    struct {
        struct record record;
        uint64_t words[4];
    } whole = {.record = *r};
    uint64_t taken = 0;
    whole.record.size = (uint32_t)(sizeof *r + count * sizeof *words);
    whole.record.time = (uint32_t)ticks;
    memcpy(whole.words, words, count * sizeof *words);
    plain_records_encode(&f->encoder, &f->thread, (const uint8_t *)&whole, whole.record.size, 0, ticks,
                         &taken);
    f->plain_events += taken;
    return taken != 0;
}

static void encode(struct fixture *f, uint16_t function, uint8_t kind, uint64_t ticks, const uint64_t *words,
                   unsigned count)
{
    const struct record r = {.function = function, .kind = kind};
    const uint8_t *body = (const uint8_t *)words;
    if (!f->quick || !encode_plain(f, &r, ticks, words, count))
        assert_int_equal(record_encode(&f->encoder, &f->thread, &r, ticks, body, body + 8 * count), 0);
    if (f->encoder.out.len > 100000) {
        assert_int_equal(trace_output_write(f->output, f->encoder.out.data, f->encoder.out.len), 0);
        buf_clear(&f->encoder.out);
    }
}

static void end_file(struct fixture *f)
{
    plain_records_tell(&f->encoder);
    assert_int_equal(trace_output_write(f->output, f->encoder.out.data, f->encoder.out.len), 0);
    if (f->index.builder != NULL)
        trace_output_attach_index(f->output, f->index.builder);
    assert_int_equal(trace_output_close(f->output), 0);
    close(f->fd);
}

static void finish(struct fixture *f)
{
    unlink(f->path);
    event_index_fini(&f->index);
    record_encoder_fini(&f->encoder);
    free(f);
}

static struct trace_reader *open_reader(const struct fixture *f, bool times)
{
    struct trace_reader *reader;
    bool known = !times;
    assert_int_equal(trace_reader_open(&reader, f->path), 0);
    assert_int_equal(trace_reader_want_times(reader, &known), 0);
    assert_int_equal(known, times);
    return reader;
}

/* Returns CLOCK_MONOTONIC at nanosecond n of the session. Some of these are before its start, some are days
 * later. */
static uint64_t moment(const struct fixture *f, int64_t n)
{
    return (uint64_t)(f->index.clock.start + n);
}

static int64_t enter_time(uint64_t call)
{
    return (int64_t)call * 1234567 - 10000003 + (call % 5000 == 17 ? 86400000000000 : 0);
}

static int64_t rounded(int64_t n)
{
    int64_t down = n / TRACE_TIME_UNIT * TRACE_TIME_UNIT;
    return down > n ? down - TRACE_TIME_UNIT : down;
}

/* Checks a stream of several segments and frames. */
static void check_times(bool quick)
{
    enum { CALLS = 60000, FRAME = 1000 };
    struct fixture *f = start(CAPTURE_CLOCK_MONOTONIC);
    f->quick = quick;
    const uint64_t no_words[3] = {0};
    for (uint64_t i = 0; i < CALLS; ++i) {
        uint16_t function = i % FRAME == FRAME - 1 ? SPEC_FN_glXSwapBuffers : SPEC_FN_glVertex3f;
        unsigned words = function == SPEC_FN_glXSwapBuffers ? 2 : 3;
        encode(f, function, RECORD_ENTER, moment(f, enter_time(i)), no_words, words);
        encode(f, function, RECORD_LEAVE, moment(f, enter_time(i) + 37), no_words, 0);
    }
    encode(f, SPEC_FN_glFinish, RECORD_ENTER, moment(f, 5), no_words, 0);
    end_file(f);

    struct trace_reader *reader = open_reader(f, true);
    const struct trace_call *c;
    for (uint64_t i = 0; i < CALLS; ++i) {
        assert_int_equal(trace_reader_next_call(reader, &c), 0);
        assert_int_equal(c->number, i);
        assert_int_equal(c->enter_time, rounded(enter_time(i)));
        assert_int_equal(c->leave_time, rounded(enter_time(i) + 37));
        trace_call_release(reader, c);
    }
    assert_int_equal(trace_reader_next_call(reader, &c), 0);
    assert_int_equal(c->enter_time, 0);
    assert_int_equal(c->leave_time, TRACE_NO_TIME);
    trace_call_release(reader, c);
    for (uint64_t frame = CALLS / FRAME; frame-- > 0;) {
        assert_int_equal(trace_reader_seek_frame(reader, frame), 0);
        assert_int_equal(trace_reader_next_call(reader, &c), 0);
        assert_int_equal(c->number, frame * FRAME);
        assert_int_equal(c->enter_time, rounded(enter_time(c->number)));
        trace_call_release(reader, c);
    }
    trace_reader_close(reader);
    assert_true(!quick || f->plain_events > 2 * (CALLS - CALLS / FRAME) - 20);
    finish(f);
}

static void test_times(void **state)
{
    (void)state;
    check_times(false);
    check_times(true);
}

static void test_no_times(void **state)
{
    (void)state;
    struct fixture *f = start(CAPTURE_CLOCK_NONE);
    f->quick = true;
    for (unsigned i = 0; i < 3; ++i)
        encode(f, SPEC_FN_glFinish, RECORD_ENTER, 0, (const uint64_t[]){0}, 0);
    assert_int_equal(f->plain_events, 2);
    end_file(f);
    struct trace_reader *reader = open_reader(f, false);
    trace_reader_close(reader);
    finish(f);
}

/* Incompressible times fill the memory for the index. If they cannot be moved to a file, there is no index,
 * but a complete trace. */
static void test_no_room(void **state)
{
    (void)state;
    enum { CALLS = 300000 };
    struct fixture *f = start(CAPTURE_CLOCK_MONOTONIC);
    f->quick = true;
    char *directory = getenv("TMPDIR");
    directory = directory != NULL ? strdup(directory) : NULL;
    setenv("TMPDIR", "/nowhere", 1);
    uint64_t random = 1;
    for (uint64_t i = 0; i < CALLS; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        encode(f, SPEC_FN_glFinish, RECORD_ENTER, moment(f, (int64_t)(random >> 4)), &random, 0);
        encode(f, SPEC_FN_glFinish, RECORD_LEAVE, moment(f, (int64_t)(random >> 5)), &random, 0);
    }
    assert_null(f->index.builder);
    assert_non_null(strstr(f->index.message, "/nowhere"));
    end_file(f);
    if (directory != NULL)
        setenv("TMPDIR", directory, 1);
    else
        unsetenv("TMPDIR");
    free(directory);
    struct trace_reader *reader = open_reader(f, false);
    const struct trace_call *c;
    assert_int_equal(trace_reader_seek_call(reader, CALLS - 1), 0);
    assert_int_equal(trace_reader_next_call(reader, &c), 0);
    assert_int_equal(c->number, CALLS - 1);
    trace_call_release(reader, c);
    trace_reader_close(reader);
    finish(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_no_times),
        cmocka_unit_test(test_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
