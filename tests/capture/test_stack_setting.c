/* SPDX-License-Identifier: MIT
 * Tests which functions get backtraces: APITRACE_BACKTRACE is read in the same way as by apitrace.
 */
#include "process/capture_log.h"
#include "process/function_names.h"
#include "process/stack_setting.h"

#include "cmocka_all.h"
#include "runtime/spec.h"
#include "spec_ids.h"

#include <stdlib.h>

static unsigned logs;

void capture_log(const char *format, ...)
{
    (void)format;
    logs++;
}

static void patterns(void **state)
{
    static const struct {
        const char *patterns, *name;
        bool has;
    } cases[] = {
        {"glClear", "glClear", true},
        {"glClear", "glClearColor", false},
        {"glClear", "glClea", false},
        {"glClear*", "glClear", true},
        {"glClear*", "glClearColor", true},
        {"*", "glXSwapBuffers", true},
        {"gl*Arrays", "glDrawArrays", false}, /* only the end of a pattern matches any characters */
        {"", "glClear", false},
        {" \t\r\n,", "glClear", false},
        {"glDraw* glClear", "glClear", true},
        {"glDraw*\tglClear\n", "glDrawElements", true},
        {"glDraw*,glClear", "glClear", true},
        {"#glClear glFlush", "glClear", false},
        {"# glClear", "glClear", true}, /* comments are words, not lines */
        {"#*", "glClear", false},
        {"glFlush glFlush", "glFinish", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_int_equal(function_names_have(cases[i].patterns, cases[i].name), cases[i].has);
}

static bool read_setting(const char *functions, const char *depth)
{
    stack_setting = (struct stack_setting){.depth = STACK_DEPTH};
    logs = 0;
    if (functions != NULL)
        setenv(STACK_FUNCTIONS_ENVIRONMENT, functions, 1);
    else
        unsetenv(STACK_FUNCTIONS_ENVIRONMENT);
    if (depth != NULL)
        setenv(STACK_DEPTH_ENVIRONMENT, depth, 1);
    else
        unsetenv(STACK_DEPTH_ENVIRONMENT);
    return stack_setting_read();
}

static void settings(void **state)
{
    (void)state;
    assert_false(read_setting(NULL, NULL));
    assert_false(read_setting("", "7"));
    assert_int_equal(logs, 0);
    assert_true(read_setting("glDrawArrays glX*", NULL));
    assert_int_equal(stack_setting.depth, 10);
    assert_true(stack_setting_wants(SPEC_FN_glDrawArrays));
    assert_true(stack_setting_wants(SPEC_FN_glXSwapBuffers));
    assert_false(stack_setting_wants(SPEC_FN_glDrawArraysEXT));
    assert_false(stack_setting_wants(SPEC_FN_glFlush));
    assert_true(read_setting("*", "256"));
    assert_int_equal(stack_setting.depth, 256);
    for (unsigned i = 0; i < spec_function_count; ++i)
        assert_true(stack_setting_wants(i));
    assert_int_equal(logs, 0);
}

/* Mistakes are reported, and the program continues. */
static void mistakes(void **state)
{
    static const char *const depths[] = {"0", "257", "-1", "ten", "3x", "", "99999999999999999999"};
    (void)state;
    assert_false(read_setting("glNoSuchFunction", NULL));
    assert_int_equal(logs, 1);
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; ++i) {
        assert_true(read_setting("*", depths[i]));
        assert_int_equal(stack_setting.depth, 10);
        assert_int_equal(logs, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(settings),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
