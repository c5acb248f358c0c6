/* SPDX-License-Identifier: MIT
 * A call with an argument of the wrong type, or without one, is a failure of its own. The driver does not get
 * it, whichever handler replays the function.
 */
#include "stub_gl.h"

#include "runtime/spec.h"
#include "spec_ids.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* Functions in one replay, of which a trace for tests has few. */
enum { FUNCTIONS = 60, LINE = 1000 };

static bool is_number(const struct spec_function *f, unsigned i)
{
    const struct spec_param *p = spec_param(f, i);
    return p->form == SPEC_FORM_VALUE && p->type != SPEC_PTR;
}

/* Their sizes, or what they are for, are looked at first. */
static bool is_otherwise(const struct spec_function *f)
{
    static const char *const patterns[] = {"glGet*Image*",
                                           "glGetQueryObject*",
                                           "glGetProgramBinary*",
                                           "glFeedbackBuffer",
                                           "glSelectBuffer",
                                           "glImport*",
                                           "glGet*ColorTable*",
                                           "glGet*Filter*",
                                           "glGet*Histogram*",
                                           "glGet*Minmax*",
                                           "glGet*PixelMap*",
                                           "glGet*PolygonStipple*",
                                           "glGetProgramResource[Ni]*",
                                           "glGetActive*"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; ++i)
        if (fnmatch(patterns[i], spec_string(f->name), 0) == 0)
            return true;
    return false;
}

/* What a text cannot be. */
static bool is_no_text(const struct spec_function *f, unsigned i)
{
    const struct spec_param *p = spec_param(f, i);
    bool is_list = p->form == SPEC_FORM_ARRAY || p->form == SPEC_FORM_STRINGS || p->form == SPEC_FORM_BLOBS;
    return is_number(f, i) || (is_list && (p->flags & SPEC_PARAM_OUT) == 0);
}

/* Functions of OpenGL that are replayed, and whose argument is no text. */
static bool is_tested(const struct spec_function *f, unsigned argument)
{
    return f->api == SPEC_API_GL && (f->flags & SPEC_FUNCTION_NO_REPLAY) == 0 && f->param_count > argument &&
           is_no_text(f, argument) && !is_otherwise(f);
}

/* Argument `wrong` is a text, and those behind it are missing. */
static size_t write_call(char *out, const struct spec_function *f, unsigned wrong)
{
    int n = snprintf(out, LINE, "%s", spec_string(f->name));
    for (unsigned i = 0; i <= wrong; ++i)
        n += snprintf(out + n, LINE - (size_t)n, " %s=%s", spec_string(spec_param(f, i)->name),
                      i == wrong        ? "\"text\""
                      : is_number(f, i) ? "0"
                                        : "null");
    n += snprintf(out + n, LINE - (size_t)n, "\n");
    assert_in_range(n, 1, LINE - 1);
    return (size_t)n;
}

static bool is_reported(const struct spec_function *f, unsigned argument)
{
    char message[200];
    snprintf(message, sizeof message, ": warning: %s: argument '%s' has the wrong type\n",
             spec_string(f->name), spec_string(spec_param(f, argument)->name));
    return strstr(stub_gl.messages, message) != NULL;
}

/* Replays calls of functions from *next on. Returns how many did not fail as they must. */
static unsigned replay_some(unsigned *next, unsigned argument)
{
    static char calls[FUNCTIONS * LINE];
    const struct spec_function *functions[FUNCTIONS];
    size_t length = 0;
    unsigned count = 0, wrong = 0;
    for (; *next < SPEC_FUNCTION_COUNT && count < FUNCTIONS; ++*next)
        if (is_tested(&spec_functions[*next], argument)) {
            functions[count] = &spec_functions[*next];
            length += write_call(calls + length, functions[count++], argument);
        }
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, calls);
    stub_gl_expect("");
    for (unsigned i = 0; i < count; ++i)
        if (!is_reported(functions[i], argument)) {
            print_error("%s\n", spec_string(functions[i]->name));
            wrong++;
        }
    return wrong + (stub_gl.failures != count);
}

static void expect_all_to_fail(unsigned argument)
{
    unsigned next = 0, wrong = 0;
    while (next < SPEC_FUNCTION_COUNT)
        wrong += replay_some(&next, argument);
    assert_int_equal(wrong, 0);
}

static void test_first_arguments(void **state)
{
    (void)state;
    expect_all_to_fail(0);
}

static void test_other_arguments(void **state)
{
    (void)state;
    for (unsigned argument = 1; argument < 9; ++argument)
        expect_all_to_fail(argument);
}

/* --- functions that the driver does not have ---------------------------------------------------------- */

/* Drivers that the tracer offered something to need not have it. */
static bool is_offered(const struct spec_function *f)
{
    const char *name = spec_string(f->name);
    return strstr(name, "Marker") != NULL || fnmatch("glDebugMessage*AMD", name, 0) == 0;
}

/* Their arguments are handles of the program, which were never created; or there are more than in a test. */
static bool has_handles(const struct spec_function *f)
{
    if (f->param_count > 16)
        return true;
    for (unsigned i = 0; i < f->param_count; ++i) {
        const struct spec_param *p = spec_param(f, i);
        if (p->form == SPEC_FORM_STRUCT || (p->form == SPEC_FORM_VALUE && p->type == SPEC_PTR))
            return true;
    }
    return false;
}

static void write_zeros(char *out, const struct spec_function *f)
{
    int n = snprintf(out, LINE, "%s", spec_string(f->name));
    for (unsigned i = 0; i < f->param_count; ++i)
        n += snprintf(out + n, LINE - (size_t)n, " %s=%s", spec_string(spec_param(f, i)->name),
                      is_number(f, i) ? "0" : "null");
    assert_in_range(n, 1, LINE - 1);
}

static void expect_missing(const struct spec_function *f, const struct replay_options *options)
{
    char calls[LINE], message[200];
    write_zeros(calls, f);
    snprintf(message, sizeof message, "3: warning: %s: the driver does not have this function\n",
             spec_string(f->name));
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = spec_string(f->name);
    stub_gl_replay_printing(options, calls);
    if (stub_gl.rc != 0 || stub_gl.failures != 1 || strstr(stub_gl.messages, message) == NULL)
        fail_msg("%s\n%s", calls, stub_gl.messages);
}

static void test_missing_functions(void **state)
{
    (void)state;
    static const struct replay_options plain = {.single_thread = true},
                                       check = {.single_thread = true, .check = true};
    for (unsigned i = 0; i < SPEC_FUNCTION_COUNT; ++i) {
        const struct spec_function *f = &spec_functions[i];
        if (!is_tested(f, 0) || is_offered(f) || has_handles(f))
            continue;
        expect_missing(f, &plain);
        expect_missing(f, &check);
    }
}

/* Calls of the window systems that have failed in the program, or have nothing but a result. None ends the
 * replay, and what is replayed after them is as ever. */
static void test_calls_without_arguments(void **state)
{
    (void)state;
    static const char *const results[] = {"", " = 0", " = 0x0", " = 1", " = 0x99"};
    for (unsigned f = 0; f < SPEC_FUNCTION_COUNT; ++f) {
        const char *name = spec_string(spec_functions[f].name);
        for (size_t i = 0; i < sizeof results / sizeof *results; ++i) {
            char calls[200];
            if (spec_functions[f].api == SPEC_API_GL || strstr(name, "MakeC") != NULL ||
                strstr(name, "MakeAssociated") != NULL || strcmp(name, "eglReleaseThread") == 0)
                continue;
            snprintf(calls, sizeof calls, "%s%s\nglDrawArrays mode=4 first=0 count=1\n", name, results[i]);
            stub_gl_reset("4.6");
            stub_gl_replay(NULL, calls);
            if (stub_gl.rc != 0 || strstr(stub_gl.log, "glDrawArrays(0, 1)\n") == NULL)
                fail_msg("%s%s%s", calls, stub_gl.log, stub_gl.messages);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_arguments),
        cmocka_unit_test(test_other_arguments),
        cmocka_unit_test(test_missing_functions),
        cmocka_unit_test(test_calls_without_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
