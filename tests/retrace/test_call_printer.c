/* SPDX-License-Identifier: MIT
 * Tests which calls --verbose prints, and what becomes of errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "call/call_printer.h"
#include "trace/text/call_text_put.h"

static const struct trace_function_sig flush = {.name = "glFlush"};
static const struct trace_call usual = {.number = 5, .thread = 2, .sig = &flush, .ret = {.type = TRACE_NONE}},
                               verbose = {.number = 6, .sig = &flush, .flags = TRACE_CALL_VERBOSE};

static char *text;
static size_t text_size;

static void open_printer(struct call_printer *p)
{
    FILE *out = open_memstream(&text, &text_size);
    assert_non_null(out);
    assert_int_equal(call_printer_init(p, out), 0);
}

static void close_printer(struct call_printer *p)
{
    FILE *out = p->out;
    call_printer_fini(p);
    assert_null(p->text);
    fclose(out);
    free(text);
}

/* Each call is there as soon as it has been printed. */
static void test_calls(void **state)
{
    struct call_printer p;
    (void)state;
    open_printer(&p);
    assert_int_equal(call_printer_print(&p, &usual), 0);
    assert_string_equal(text, "5 @2 glFlush()\n");
    assert_int_equal(call_printer_print(&p, &verbose), 0);
    assert_string_equal(text, "5 @2 glFlush()\n");
    assert_int_equal(call_printer_print(&p, &usual), 0);
    assert_string_equal(text, "5 @2 glFlush()\n5 @2 glFlush()\n");
    close_printer(&p);
}

/* Without --verbose, there is no text. */
static void test_none(void **state)
{
    struct call_printer none = {.out = NULL};
    (void)state;
    assert_int_equal(call_printer_print(&none, &usual), 0);
    call_printer_fini(&none);
}

/* A text that lacks a part is not printed. */
static void test_no_memory(void **state)
{
    struct call_printer p;
    (void)state;
    open_printer(&p);
    trace_error_set(TRACE_ERR_MEMORY, "no more");
    trace_call_text_keep_error(p.text, TRACE_ERR_MEMORY);
    trace_error_set(TRACE_ERR_IO, "another message");
    assert_int_equal(call_printer_print(&p, &usual), TRACE_ERR_MEMORY);
    assert_string_equal(trace_error_message(), "no more");
    fflush(p.out);
    assert_int_equal(text_size, 0);
    close_printer(&p);
}

static void test_full_disk(void **state)
{
    struct call_printer p;
    FILE *out = fopen("/dev/full", "w");
    (void)state;
    if (out == NULL)
        skip();
    assert_int_equal(call_printer_init(&p, out), 0);
    assert_int_equal(call_printer_print(&p, &verbose), 0);
    assert_int_equal(call_printer_print(&p, &usual), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "cannot print the call: No space left on device");
    call_printer_fini(&p);
    fclose(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
