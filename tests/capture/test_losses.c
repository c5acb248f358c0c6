/* SPDX-License-Identifier: MIT
 * Tests what happens if a trace is incomplete: a file that could not be written to its end is truncated to a
 * valid trace, and what is missing is counted and reported (trace-cli-trace(1), "EXIT STATUS").
 */
#include "cmocka_all.h"
#include "collector/losses.h"
#include "sample_records.h"

#include "formats/apitrace/container/container.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spec_ids.h"

/* --- files that end early ---------------------------------------------------------------------------------
 */

struct written {
    struct segment segment;
    struct ring_pool pool;
    struct record_encoder encoder;
    struct record_merger merger;
    struct ring_producer producer;
    struct trace_output *output;
    char path[64];
    int file;
};

static bool never_full(struct ring_producer *p)
{
    (void)p;
    return false;
}

static int start(void **state)
{
    struct written *w = calloc(1, sizeof *w);
    *state = w;
    strcpy(w->path, "/tmp/test_losses.XXXXXX");
    w->file = mkstemp(w->path);
    if (segment_create(&w->segment, 2) != 0 || ring_pool_init(&w->pool, &w->segment, NULL) != 0 ||
        record_encoder_init(&w->encoder) != 0 ||
        record_merger_init(&w->merger, &w->segment, &w->encoder) != 0 ||
        ring_pool_take(&w->pool, &w->producer) != 0)
        return -1;
    record_encode_header(&w->encoder, "/a/program", "");
    append_record(&w->producer, 0, RECORD_THREAD, &(uint64_t){0}, 1, never_full);
    return trace_output_open_fd(&w->output, w->file, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 1);
}

static int stop(void **state)
{
    struct written *w = *state;
    trace_output_close(w->output);
    ring_producer_fini(&w->producer);
    record_merger_fini(&w->merger);
    record_encoder_fini(&w->encoder);
    ring_pool_fini(&w->pool);
    segment_fini(&w->segment);
    close(w->file);
    unlink(w->path);
    free(w);
    return 0;
}

/* Encodes this many calls, and another one that does not return. */
static void make_calls(struct written *w, unsigned calls)
{
    size_t taken;
    for (unsigned i = 0; i < 2 * calls + 1; ++i)
        append_record(&w->producer, SPEC_FN_glFlush, i % 2 == 0 ? RECORD_ENTER : RECORD_LEAVE, NULL, 0,
                      never_full);
    append_record(&w->producer, SPEC_FN_glFlush, RECORD_LEAVE, NULL, 0, never_full);
    assert_int_equal(record_merger_drain(&w->merger, SIZE_MAX, &taken), 0);
}

static void write_calls(struct written *w, unsigned calls)
{
    make_calls(w, calls);
    assert_int_equal(trace_output_write(w->output, w->encoder.out.data, w->encoder.out.len), 0);
    assert_int_equal(trace_output_flush(w->output), 0);
    buf_clear(&w->encoder.out);
}

static off_t size_of(int file)
{
    struct stat st;
    assert_int_equal(fstat(file, &st), 0);
    return st.st_size;
}

static void test_cut_behind_whole_chunks(void **state)
{
    struct written *w = *state;
    write_calls(w, 99);
    write_calls(w, 49);
    off_t whole = size_of(w->file);
    assert_int_equal(write(w->file, "\xff\xff\0\0part of a chunk", 19), 19);
    make_calls(w, 29);
    assert_int_equal(w->encoder.next_call, 180);
    assert_int_equal(losses_cut_file(w->output, TRACE_CONTAINER_SNAPPY, w->file, w->encoder.next_call), 30);
    assert_int_equal(size_of(w->file), whole);
    assert_int_equal(losses_cut_file(w->output, TRACE_CONTAINER_SNAPPY, w->file, 150), 0);
    assert_int_equal(losses_cut_file(w->output, TRACE_CONTAINER_SNAPPY, w->file, 151), 1);
    assert_int_equal(losses_cut_file(w->output, TRACE_CONTAINER_SNAPPY, w->file, 149),
                     0); /* the number cannot be negative */
    assert_int_equal(size_of(w->file), whole);
}

/* A call counts once it is entered, whether or not its leave is in the file. */
static void test_calls_that_were_not_left(void **state)
{
    struct written *w = *state;
    size_t taken;
    append_record(&w->producer, SPEC_FN_glFlush, RECORD_ENTER, NULL, 0, never_full);
    append_record(&w->producer, SPEC_FN_glFlush, RECORD_LEAVE, NULL, 0, never_full);
    append_record(&w->producer, SPEC_FN_glFinish, RECORD_ENTER, NULL, 0, never_full);
    assert_int_equal(record_merger_drain(&w->merger, SIZE_MAX, &taken), 0);
    assert_int_equal(trace_output_write(w->output, w->encoder.out.data, w->encoder.out.len), 0);
    assert_int_equal(trace_output_flush(w->output), 0);
    assert_int_equal(losses_cut_file(w->output, TRACE_CONTAINER_SNAPPY, w->file, 2), 0);
    assert_int_equal(losses_cut_file(w->output, TRACE_CONTAINER_SNAPPY, w->file, 5), 3);
}

/* A file without chunks becomes an empty trace: the two bytes of the format's mark. */
static void test_cut_without_chunks(void **state)
{
    struct written *w = *state;
    assert_int_equal(ftruncate(w->file, 0), 0);
    assert_int_equal(pwrite(w->file, "at\x05\0\0\0par", 9, 0), 9);
    assert_int_equal(losses_cut_file(w->output, TRACE_CONTAINER_SNAPPY, w->file, 17), 17);
    assert_int_equal(size_of(w->file), 2);
    assert_int_equal(ftruncate(w->file, 1), 0); /* a file is not extended */
    assert_int_equal(losses_cut_file(w->output, TRACE_CONTAINER_SNAPPY, w->file, 17), 17);
    assert_int_equal(size_of(w->file), 1);
}

/* What was written to a pipe or a device cannot be read again, so all of it counts as possibly lost. */
static void test_cut_of_no_file(void **state)
{
    struct written *w = *state;
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(losses_cut_file(w->output, TRACE_CONTAINER_SNAPPY, ends[1], 12), 12);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
}

/* --- counting ---------------------------------------------------------------------------------------------
 */

static void test_notes(void **state)
{
    struct written *w = *state;
    struct losses l = {.unwritten = 1};
    losses_note(&l, &w->merger, w->file);
    assert_int_equal(l.unwritten, 1);
    assert_int_equal(l.unrecorded + l.damaged + l.missing, 0);
    assert_false(l.deleted);
    w->segment.control->calls_lost = 5;
    w->segment.control->calls_interrupting = 17;
    w->merger.damaged = 7;
    w->merger.passed_over = 11;
    w->merger.lost = 13;
    l = (struct losses){.unrecorded = 100, .damaged = 200, .missing = 300};
    losses_note(&l, &w->merger, w->file);
    assert_int_equal(l.unrecorded, 105);
    assert_int_equal(l.interrupting, 17);
    assert_int_equal(l.damaged, 218);
    assert_int_equal(l.missing, 313);
    unlink(w->path);
    losses_note(&l, &w->merger, w->file);
    assert_true(l.deleted);
    int ends[2]; /* a file without a name is not reported as deleted */
    assert_int_equal(pipe(ends), 0);
    losses_note(&l, &w->merger, ends[1]);
    assert_false(l.deleted);
    close(ends[0]);
    close(ends[1]);
}

/* --- telling ----------------------------------------------------------------------------------------------
 */

static char said[4096];

static bool tell(const struct losses *l)
{
    FILE *log = tmpfile();
    int saved = dup(STDERR_FILENO);
    assert_non_null(log);
    fflush(stderr);
    dup2(fileno(log), STDERR_FILENO);
    bool lost = losses_tell(l, "app.trace");
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    ssize_t n = pread(fileno(log), said, sizeof said - 1, 0);
    said[n > 0 ? n : 0] = '\0';
    fclose(log);
    return lost;
}

#define WARNING "trace-cli: warning: app.trace: "

static void test_words(void **state)
{
    (void)state;
    static const struct {
        struct losses losses;
        bool lost;
        const char *words;
    } cases[] = {
        {{.unwritten = 0}, false, ""},
        {{.unwritten = 1}, true, WARNING "1 calls were lost: the file could not be written\n"},
        {{.unrecorded = 30}, true, WARNING "30 calls were lost: there was no room to record them in\n"},
        {{.interrupting = 3},
         true,
         WARNING "3 calls were lost: signal handlers made them while another call was being recorded\n"},
        {{.damaged = 2},
         true,
         WARNING
         "2 records made no sense: the program has written over them; calls are missing or incomplete\n"},
        {{.missing = 4},
         false,
         WARNING "4 events of calls that were cut off (by a killed thread or siglongjmp) are missing\n"},
        {{.unwritten = 5000000000, .missing = 4},
         true,
         WARNING "5000000000 calls were lost: the file could not be written\n"},
        {{.unrecorded = 1, .damaged = 1, .missing = 1},
         true,
         WARNING "1 calls were lost: there was no room to record them in\n" WARNING
                 "1 records made no sense: the program has written over them; calls are missing or "
                 "incomplete\n"},
        {{.deleted = true},
         true,
         WARNING "the file was deleted while it was written, so there is no trace\n"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_int_equal(tell(&cases[i].losses), cases[i].lost);
        assert_string_equal(said, cases[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cut_behind_whole_chunks, start, stop),
        cmocka_unit_test_setup_teardown(test_calls_that_were_not_left, start, stop),
        cmocka_unit_test_setup_teardown(test_cut_without_chunks, start, stop),
        cmocka_unit_test_setup_teardown(test_cut_of_no_file, start, stop),
        cmocka_unit_test_setup_teardown(test_notes, start, stop),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
