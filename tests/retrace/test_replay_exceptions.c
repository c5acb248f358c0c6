/* SPDX-License-Identifier: MIT
 * Every function that can be recorded is replayed, or is in the list of exceptions, with a reason; and not
 * both.
 */
#include "handlers/exceptions.h"

#include "runtime/spec.h"
#include "spec_ids.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const char *handler_of(const struct spec_function *f)
{
    static const char *const names[] = {
        NULL,
#define REPLAY_HANDLER(name) #name,
#include "replay_handlers.inc"
#undef REPLAY_HANDLER
    };
    return names[f->replay];
}

/* Memory that the trace does not have. An offset into a buffer is replayed. */
static bool is_unknown_memory(const struct spec_param *p)
{
    return p->form == SPEC_FORM_OPAQUE && strcmp(spec_string(p->name), "indirect") != 0;
}

/* What decoding the arguments (replay_args.c) refuses in any case. */
static bool is_foreign(const struct spec_param *p)
{
    return p->form == SPEC_FORM_STRUCT || is_unknown_memory(p) ||
           (p->type == SPEC_PTR && p->object == SPEC_OBJECT_none && p->form == SPEC_FORM_VALUE) ||
           (p->type == SPEC_PTR && p->object == SPEC_OBJECT_none && p->form == SPEC_FORM_ARRAY &&
            (p->flags & SPEC_PARAM_OUT) == 0);
}

/* Queries only answer. With --check, those of GL are made again. */
static bool is_query(const struct spec_function *f)
{
    return (f->flags & SPEC_FUNCTION_NO_REPLAY) != 0;
}

static bool is_replayed(const struct spec_function *f)
{
    const char *handler = handler_of(f);
    if (handler != NULL)
        return strcmp(handler, "ignore") != 0 && strcmp(handler, "foreign_handle") != 0;
    if (is_query(f))
        return true;
    if (f->api != SPEC_API_GL)
        return false;
    for (unsigned i = 0; i < f->param_count; ++i)
        if (is_foreign(spec_param(f, i)))
            return false;
    return true;
}

static void test_every_function(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (unsigned i = 0; i < SPEC_FUNCTION_COUNT; ++i) {
        const struct spec_function *f = &spec_functions[i];
        const char *name = spec_string(f->name);
        bool excepted = replay_exception_reason(name) != NULL, replayed = is_replayed(f);
        if (excepted != replayed ||
            (excepted && is_query(f))) /* there may be queries about what is excepted */
            continue;
        print_error("%s is %s\n", name,
                    excepted ? "replayed, and in the list of exceptions"
                             : "neither replayed nor in the list");
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* One reason for each function, and no pattern without a function. */
static void test_the_list(void **state)
{
    (void)state;
    for (size_t i = 0; i < replay_exception_count; ++i) {
        const struct replay_exception *e = &replay_exceptions[i];
        assert_in_range(strlen(e->reason), 20, 100);
        char patterns[1000];
        assert_in_range(strlen(e->functions), 1, sizeof patterns - 1);
        strcpy(patterns, e->functions);
        for (char *p = strtok(patterns, " "); p != NULL; p = strtok(NULL, " ")) {
            const struct replay_exception alone = {p, e->reason};
            unsigned found = 0;
            for (unsigned f = 0; f < SPEC_FUNCTION_COUNT; ++f)
                found += replay_exception_has(&alone, spec_string(spec_functions[f].name));
            if (found == 0)
                fail_msg("no function is called %s", p);
        }
    }
    for (unsigned f = 0; f < SPEC_FUNCTION_COUNT; ++f) {
        unsigned reasons = 0;
        for (size_t i = 0; i < replay_exception_count; ++i)
            reasons += replay_exception_has(&replay_exceptions[i], spec_string(spec_functions[f].name));
        if (reasons > 1)
            fail_msg("%s has %u reasons", spec_string(spec_functions[f].name), reasons);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_function),
        cmocka_unit_test(test_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
