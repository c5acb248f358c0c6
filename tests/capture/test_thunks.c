/* SPDX-License-Identifier: MIT
 * Tests that each thunk leads to its stub and selects its own real function, up to the highest number of
 * thunks.
 */
#include "cmocka_all.h"

#include "lookup/thunks.h"

#include "spec_ids.h"

#include <stdint.h>

enum { THUNKS = 4096 };

static capture_function left;

static void stub(void)
{
    left = thunk_real;
    thunk_real = NULL;
}

void (*const capture_stubs[SPEC_FUNCTION_COUNT])(void) = {stub, stub};

/* Must not be called. */
static capture_function real_function(unsigned i)
{
    return (capture_function)((uintptr_t)stub + i);
}

static void test_thunks(void **state)
{
    (void)state;
    static void *thunks[THUNKS];
    if (thunk_make(0, real_function(0)) == NULL)
        skip(); /* not supported on this machine */
    for (unsigned i = 0; i < THUNKS; ++i) {
        thunks[i] = thunk_make(0, real_function(i));
        assert_non_null(thunks[i]);
        assert_true(thunk_is(thunks[i]));
    }
    assert_null(thunk_make(0, real_function(THUNKS)));
    for (unsigned i = 0; i < THUNKS; ++i) {
        void (*call)(void);
        *(void **)&call = thunks[i];
        assert_ptr_equal(thunk_make(0, real_function(i)), thunks[i]);
        left = NULL;
        call();
        assert_true(left == real_function(i));
    }
    assert_false(thunk_is((const char *)thunks[0] - 1));
    assert_false(thunk_is((const char *)thunks[THUNKS - 1] + 16));
    assert_false(thunk_is((const void *)(uintptr_t)stub));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thunks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
