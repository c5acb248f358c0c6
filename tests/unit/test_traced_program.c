/* SPDX-License-Identifier: MIT
 * Tests which signals reach the collector: until it is freed, and not later.
 */
#include "run/traced_program.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static unsigned starts, stops, interrupts;

static void set_recording(void *context, bool recording)
{
    assert_ptr_equal(context, &starts);
    starts += recording;
    stops += !recording;
}

static void interrupted(void *context)
{
    assert_ptr_equal(context, &interrupts);
    interrupts++;
}

static void raise_all(void)
{
    raise(SIGUSR1);
    raise(SIGUSR2);
    raise(SIGINT);
    raise(SIGTERM);
}

static void test_late_signals(void **state)
{
    (void)state;
    char *argv[] = {(char *)"true", NULL};
    const struct traced_environment environment = {.library = "",
                                                   .socket_path = "",
                                                   .offer_extensions = true,
                                                   .set_recording = set_recording,
                                                   .context = &starts};
    traced_program_prepare();
    assert_int_equal(traced_program_start(&environment, argv), 0);
    assert_int_equal(traced_program_wait(interrupted, &interrupts), 0);
    raise_all();
    assert_int_equal(starts, 1);
    assert_int_equal(stops, 1);
    assert_int_equal(interrupts, 2);
    traced_program_release();
    raise_all();
    assert_int_equal(starts, 1);
    assert_int_equal(stops, 1);
    assert_int_equal(interrupts, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_late_signals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
