/* SPDX-License-Identifier: MIT
 * Tests that skipping known calls stays inside its window, wherever the window ends, and inside the output
 * buffer of a copy. After both there are bytes that look like more such calls.
 */
#include "formats/apitrace/format.h"
#include "formats/apitrace/scan/event_scan.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#define CALLS   12
#define LEARNT  4   /* number of calls that are scanned first */
#define FLOATS  24  /* details of 125 bytes, almost the maximum of a shape */
#define CALL    255 /* a call has two of them */
#define CERTAIN 600 /* enough bytes for at least one call to be skipped */

static const char *const arg_names[] = {"given", "got"};
static const struct trace_function_sig sig = {.name = "glF", .arg_count = 2, .arg_names = arg_names};

static void put_floats(struct trace_encoder *e, unsigned arg)
{
    trace_encode_arg(e, arg);
    trace_encode_array(e, FLOATS);
    for (unsigned i = 0; i < FLOATS; ++i)
        trace_encode_float(e, (float)i);
    trace_encode_end(e);
}

/* Appends the calls without a header. */
static void make_stream(struct buf *out)
{
    struct trace_encoder e;
    trace_encoder_init(&e, out);
    for (uint64_t i = 0; i < CALLS; ++i) {
        trace_encode_enter(&e, 0, &sig, 0);
        put_floats(&e, 0);
        trace_encode_leave(&e, i);
        put_floats(&e, 1);
    }
    assert_false(e.failed);
    trace_encoder_fini(&e);
}

struct fixture {
    struct buf stream;
    struct trace_parser parser;
    struct trace_scan scan;
    const uint8_t *rest; /* the rest of the stream, in which all calls are alike */
    size_t size;
};

static const uint8_t *scan_call(struct trace_scan *sc, const uint8_t *p)
{
    const struct trace_function_sig *found;
    uint32_t thread;
    uint64_t number;
    p = trace_scan_enter_head(sc, p + 1, &thread, &found);
    assert_non_null(p);
    p = trace_scan_details_of(sc, p, found, false);
    assert_non_null(p);
    trace_signatures_commit(&sc->s->sigs);
    p = trace_scan_uint(sc, p + 1, &number);
    assert_non_null(p);
    p = trace_scan_details_of(sc, p, found, true);
    assert_non_null(p);
    return p;
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    make_stream(&f->stream);
    trace_parser_init(&f->parser);
    f->parser.version = 6;
    f->parser.end = f->stream.data + f->stream.len;
    f->scan.s = &f->parser;
    f->rest = f->stream.data;
    for (unsigned i = 0; i < LEARNT; ++i)
        f->rest = scan_call(&f->scan, f->rest);
    f->size = (size_t)(f->parser.end - f->rest);
    assert_int_equal(f->size, (CALLS - LEARNT) * CALL);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    trace_scan_fini(&f->scan);
    trace_parser_fini(&f->parser);
    buf_fini(&f->stream);
    free(f);
    return 0;
}

/* Checks the number of skipped bytes: whole calls within the window, as many as the number says. */
static void check_passed(size_t passed, uint64_t number, size_t window)
{
    assert_true(passed <= window);
    assert_int_equal(passed, (number - LEARNT) * CALL);
    assert_true(passed > 0 || window < CERTAIN);
}

static void test_windows(void **state)
{
    struct fixture *f = *state;
    for (size_t window = 0; window <= f->size; ++window) {
        struct trace_known_call calls[CALLS];
        uint64_t number = LEARNT, listed = LEARNT;
        uint8_t *alone = malloc(window + 1); /* exact size: a sanitizer notices reads behind it */
        assert_non_null(alone);
        memcpy(alone, f->rest, window);
        f->parser.end = f->rest + window;
        const uint8_t *end = trace_scan_pass_known(&f->scan, f->rest, f->parser.end, &number, UINT64_MAX);
        check_passed((size_t)(end - f->rest), number, window);
        f->parser.end = alone + window;
        end = trace_scan_list_known(&f->scan, alone, &listed, calls, CALLS);
        check_passed((size_t)(end - alone), listed, window);
        assert_int_equal(listed, number);
        free(alone);
    }
}

/* Calls are not skipped if they begin behind `until`, or have the number `last` or a higher one. */
static void test_bounds(void **state)
{
    struct fixture *f = *state;
    f->parser.end = f->rest + f->size;
    for (size_t until = 0; until < 4 * CALL; until += 17) {
        uint64_t number = LEARNT;
        trace_scan_pass_known(&f->scan, f->rest, f->rest + until, &number, UINT64_MAX);
        assert_int_equal(number - LEARNT, (until + CALL - 1) / CALL);
    }
    for (uint64_t last = LEARNT; last < LEARNT + 5; ++last) {
        uint64_t number = LEARNT;
        trace_scan_pass_known(&f->scan, f->rest, f->rest + f->size, &number, last);
        assert_int_equal(number, last);
    }
}

/* Copies the same calls with the same numbers, as many as there is room for, and writes nothing behind
 * them. */
static void test_copies(void **state)
{
    struct fixture *f = *state;
    uint8_t *room = malloc(f->size + CERTAIN);
    assert_non_null(room);
    f->parser.end = f->rest + f->size;
    for (size_t cap = 0; cap < f->size + CERTAIN; cap += 3) {
        struct buf out = {.data = room, .cap = cap};
        uint64_t number = LEARNT, as = LEARNT;
        memset(room, 0xa5, f->size + CERTAIN);
        const uint8_t *end = trace_scan_copy_known(&f->scan, f->rest, &number, UINT64_MAX, &as, &out);
        check_passed((size_t)(end - f->rest), number, cap);
        assert_int_equal(as, number);
        assert_int_equal(out.len, end - f->rest);
        assert_memory_equal(out.data, f->rest, out.len);
        for (size_t i = cap; i < f->size + CERTAIN; ++i)
            assert_int_equal(room[i], 0xa5);
    }
    free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_windows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_copies, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
