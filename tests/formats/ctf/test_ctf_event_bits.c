/* SPDX-License-Identifier: MIT
 * The bits of an event are lent until its stream goes on, even if the event itself is kept.
 */
#include "cmocka_all.h"

#include "formats/ctf/decode/ctf_event_bits.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lent_until_the_next)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
