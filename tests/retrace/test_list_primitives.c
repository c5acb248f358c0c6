/* SPDX-License-Identifier: MIT
 * Tests what is known of primitives that lists begin or end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "objects/current_program.h"
#include "objects/list_primitives.h"

static struct replayer r;
static struct replay_context context;
static struct share_group group;

static int set_up(void **state)
{
    (void)state;
    memset(&r, 0, sizeof r);
    memset(&group, 0, sizeof group);
    memset(&context, 0, sizeof context);
    context.group = &group;
    r.current = &context;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    int_map_fini(&group.list_effects);
    int_map_fini(&group.list_programs);
    return 0;
}

static void begin(void)
{
    list_primitives_begin(&r);
}

static void end(void)
{
    list_primitives_end(&r);
}

static void begin_and_end(void)
{
    begin();
    end();
}

static void nothing(void)
{
}

/* Makes a list of these calls. */
static void make_list(uint64_t list, GLenum mode, void (*calls)(void))
{
    list_primitives_open(&r, list, mode);
    assert_int_equal(context.list_mode, mode);
    calls();
    assert_int_equal(list_primitives_close(&r), 0);
    assert_int_equal(context.list_mode, 0);
}

static void test_without_lists(void **state)
{
    (void)state;
    begin();
    assert_true(context.inside_begin);
    end();
    assert_false(context.inside_begin);
    assert_int_equal(list_primitives_close(&r), 0); /* an error of the program */
    list_primitives_call(&r, 5);
    assert_false(context.inside_begin);
}

/* What is only compiled has its effect when the list is called. */
static void test_compiled_lists(void **state)
{
    (void)state;
    make_list(1, GL_COMPILE, begin);
    make_list(2, GL_COMPILE, end);
    make_list(3, GL_COMPILE, begin_and_end);
    make_list(4, GL_COMPILE, nothing);
    assert_false(context.inside_begin);
    list_primitives_call(&r, 1);
    assert_true(context.inside_begin);
    list_primitives_call(&r, 4);
    assert_true(context.inside_begin);
    list_primitives_call(&r, 99);
    assert_true(context.inside_begin);
    list_primitives_call(&r, 2);
    assert_false(context.inside_begin);
    list_primitives_call(&r, 1);
    list_primitives_call(&r, 3);
    assert_false(context.inside_begin);
}

static void test_executed_lists(void **state)
{
    (void)state;
    make_list(1, GL_COMPILE_AND_EXECUTE, begin);
    assert_true(context.inside_begin);
    end();
    list_primitives_call(&r, 1);
    assert_true(context.inside_begin);
}

/* A list that is made again has another effect, or none. */
static void test_replaced_lists(void **state)
{
    (void)state;
    make_list(1, GL_COMPILE, begin);
    make_list(1, GL_COMPILE, end);
    list_primitives_call(&r, 1);
    assert_false(context.inside_begin);
    make_list(1, GL_COMPILE, begin);
    make_list(1, GL_COMPILE, nothing);
    list_primitives_call(&r, 1);
    assert_false(context.inside_begin);
}

static void call_first(void)
{
    list_primitives_call(&r, 1);
}

static void test_lists_in_lists(void **state)
{
    (void)state;
    make_list(1, GL_COMPILE, begin);
    make_list(2, GL_COMPILE, call_first);
    assert_false(context.inside_begin);
    list_primitives_call(&r, 2);
    assert_true(context.inside_begin);
}

/* The driver does not make a list inside of another one or of glBegin(), or of another mode. */
static void test_errors(void **state)
{
    (void)state;
    list_primitives_open(&r, 1, GL_COMPILE);
    list_primitives_open(&r, 2, GL_COMPILE_AND_EXECUTE);
    assert_int_equal(context.list_mode, GL_COMPILE);
    begin();
    assert_int_equal(list_primitives_close(&r), 0);
    list_primitives_call(&r, 2);
    assert_false(context.inside_begin);
    list_primitives_call(&r, 1);
    assert_true(context.inside_begin);
    list_primitives_open(&r, 3, GL_COMPILE);
    assert_int_equal(context.list_mode, 0);
    end();
    list_primitives_open(&r, 3, GL_COMPILE - 1);
    list_primitives_open(&r, 3, GL_COMPILE_AND_EXECUTE + 1);
    assert_int_equal(context.list_mode, 0);
}

static void use_and_begin(void)
{
    current_program_use(&r, 7);
    begin();
}

/* The driver cannot be asked whether it has taken the program. */
static void test_programs_before_primitives(void **state)
{
    (void)state;
    make_list(1, GL_COMPILE, use_and_begin);
    assert_int_equal(context.program, 0);
    list_primitives_call(&r, 1);
    assert_true(context.inside_begin);
    assert_int_equal(context.program, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_without_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compiled_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_executed_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_replaced_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lists_in_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_programs_before_primitives, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
