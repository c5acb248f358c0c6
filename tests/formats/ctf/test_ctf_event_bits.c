/* SPDX-License-Identifier: MIT
 * The bits of an event are lent until its stream goes on, even if the event itself is kept.
 */
#include "cmocka_all.h"

#include "formats/ctf/decode/ctf_stream.h"
#include "trace/sink.h"
#include "trace/source.h"

static void test_lent_until_the_next(void **state)
{
    struct trace_source *source;
    struct trace_event first, second;
    (void)state;
    assert_int_equal(trace_source_open(&source, CTF_DATA_DIR "/ust-rich"), 0);
    assert_int_equal(trace_source_next(source, &first), 0);
    assert_non_null(first.record);
    const struct ctf_event_bits *bits = first.record->bits;
    assert_non_null(ctf_event_bits_data(bits));
    assert_true(bits->end > bits->begin);
    assert_int_equal(trace_source_next(source, &second), 0);
    assert_null(ctf_event_bits_data(bits));
    assert_non_null(ctf_event_bits_data(second.record->bits));
    assert_true(second.record->bits->begin > bits->end);
    trace_source_release(source, &first);
    trace_source_release(source, &second);
    trace_source_close(source);
}

/* Opens the same trace twice: one source defers the values. */
static void open_both(struct trace_source **plain, struct trace_source **deferring)
{
    assert_int_equal(trace_source_open(plain, CTF_DATA_DIR "/ust-rich"), 0);
    assert_int_equal(trace_source_open(deferring, CTF_DATA_DIR "/ust-rich"), 0);
    assert_true(trace_source_set_need(*deferring, TRACE_NEEDS_PLACES));
}

/* The values of numbers and texts, down to those of structures. */
static void assert_same(const struct trace_value *a, const struct trace_value *b)
{
    assert_int_equal(a->type, b->type);
    switch (a->type) {
    case TRACE_STRUCT:
        assert_int_equal(a->count, b->count);
        for (uint64_t i = 0; i < a->count; ++i)
            assert_same(&a->u.items[i], &b->u.items[i]);
        break;
    case TRACE_STRING:
        assert_int_equal(a->count, b->count);
        assert_memory_equal(a->u.string, b->u.string, (size_t)a->count);
        break;
    case TRACE_UINT:
    case TRACE_SINT:
    case TRACE_RANGED:
    case TRACE_BASED:
        assert_true(a->u.uint == b->u.uint);
        break;
    default:
        break;
    }
}

static void test_deferred(void **state)
{
    struct trace_source *plain, *deferring;
    struct trace_event a, b;
    unsigned count = 0;
    (void)state;
    open_both(&plain, &deferring);
    while (trace_source_next(plain, &a) == 0 && a.kind != TRACE_EVENT_END) {
        struct trace_value scopes[TRACE_SCOPES];
        assert_int_equal(trace_source_next(deferring, &b), 0);
        assert_int_equal(b.kind, TRACE_EVENT_INSTANT);
        assert_true(b.record->is_deferred && !a.record->is_deferred);
        assert_int_equal(b.record->scopes[TRACE_SCOPE_PAYLOAD].type, TRACE_NONE);
        assert_null(b.call->args);
        assert_true(b.time == a.time && b.ticks == a.ticks && b.origin->stream == a.origin->stream);
        memcpy(scopes, b.record->scopes, sizeof scopes);
        assert_int_equal(ctf_stream_read_passed(b.record->bits, scopes), 0);
        for (int i = TRACE_SCOPE_COMMON; i < TRACE_SCOPES; ++i)
            assert_same(&a.record->scopes[i], &scopes[i]);
        trace_source_release(plain, &a);
        trace_source_release(deferring, &b);
        ++count;
    }
    assert_true(count > 0);
    assert_int_equal(trace_source_next(deferring, &b), 0);
    assert_int_equal(b.kind, TRACE_EVENT_END);
    trace_source_close(plain);
    trace_source_close(deferring);
}

/* Values of an event that was left cannot be read; a sink of another format does not take such events. */
static void test_deferred_is_refused(void **state)
{
    struct trace_source *source;
    struct trace_sink *sink;
    struct trace_event first, second;
    struct trace_value scopes[TRACE_SCOPES];
    (void)state;
    assert_int_equal(trace_source_open(&source, CTF_DATA_DIR "/ust-rich"), 0);
    assert_true(trace_source_set_need(source, TRACE_NEEDS_PLACES));
    assert_int_equal(trace_source_next(source, &first), 0);
    assert_int_equal(trace_sink_create(&sink, "jsonl", "-", NULL), 0);
    assert_int_equal(trace_sink_need(sink), TRACE_NEEDS_ALL);
    assert_int_equal(trace_sink_put(sink, &first), TRACE_ERR_USAGE);
    trace_sink_abandon(sink);
    assert_int_equal(trace_source_next(source, &second), 0);
    assert_int_equal(ctf_stream_read_passed(first.record->bits, scopes), TRACE_ERR_USAGE);
    trace_source_release(source, &first);
    trace_source_release(source, &second);
    trace_source_close(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lent_until_the_next),
                                       cmocka_unit_test(test_deferred),
                                       cmocka_unit_test(test_deferred_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
