/* SPDX-License-Identifier: MIT
 * Tests dumps that cannot be made: without memory, or where they cannot be written.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "failing_memory.h"
#include "state/state_dump.h"
#include "state_driver.h"

static const char *prefix;
static bool is_binary;

/* Returns the result of a dump after call 0. */
static int dump_after(struct replayer *r)
{
    struct replay_options options = {.dump_prefix = prefix, .dump_binary = is_binary};
    const struct replay_options *before = r->options;
    const struct trace_call call = {.number = 0};
    assert_int_equal(trace_call_set_parse(&options.dump_calls, "0"), 0);
    r->options = &options;
    r->dumps = 0;
    int rc = state_dump_after(r, &call);
    assert_int_equal(r->dumps, 1);
    r->options = before;
    trace_call_set_fini(&options.dump_calls);
    return rc;
}

static void dump_without_memory(struct state_dump *d)
{
    bool has_failed = true;
    unsigned others = 0;
    for (unsigned i = 3; has_failed; ++i) { /* the first ones are the set of calls */
        failing_memory_begin(i);
        int rc = dump_after(d->r);
        state_memory_fini(&d->r->state_memory);
        assert_int_equal(failing_memory_end(&has_failed), 0);
        assert_true(rc == 0 || (has_failed && rc == TRACE_ERR_MEMORY));
        others += rc != 0 && strcmp(trace_error_message(), "out of memory for a state dump") == 0;
    }
    assert_in_range(others, 1, 100);
}

static void test_no_memory(void **state)
{
    char path[] = "/tmp/test_state_dump.XXXXXX", file[100];
    (void)state;
    assert_non_null(mkdtemp(path));
    snprintf(file, sizeof file, "%s/0000000000.json", path);
    char name[100];
    snprintf(name, sizeof name, "%s/", path);
    prefix = name;
    state_driver_reset(NULL);
    state_driver_run(dump_without_memory);
    assert_int_equal(unlink(file), 0);
    is_binary = true;
    state_driver_run(dump_without_memory);
    is_binary = false;
    memcpy(strstr(file, "json"), "ubj", 4);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(path), 0);
}

/* If the trace begins later, the first call that there is counts. */
static void dump_late(struct state_dump *d)
{
    struct replay_options options = {.dump_prefix = "/nowhere/at/all-"};
    const struct replay_options *before = d->r->options;
    const struct trace_call first = {.number = 5}, next = {.number = 6};
    assert_int_equal(trace_call_set_parse(&options.dump_calls, "0"), 0);
    d->r->options = &options;
    assert_int_equal(state_dump_after(d->r, &first), TRACE_ERR_IO);
    assert_int_equal(d->r->dumps, 1);
    assert_int_equal(state_dump_after(d->r, &next), 0);
    assert_int_equal(d->r->dumps, 1);
    d->r->options = before;
    trace_call_set_fini(&options.dump_calls);
}

static void dump_nowhere(struct state_dump *d)
{
    assert_int_equal(dump_after(d->r), TRACE_ERR_IO);
}

static void test_no_place(void **state)
{
    (void)state;
    prefix = "/nowhere/at/all-";
    state_driver_reset(NULL);
    state_driver_run(dump_late);
    state_driver_run(dump_nowhere);
    assert_string_equal(trace_error_message(), "/nowhere/at/all-0000000000.json: No such file or directory");
}

/* A full disk is an error, also when the end of a file or of the standard output is written. */
static void test_full_disks(void **state)
{
    char directory[] = "/tmp/test_state_dump.XXXXXX", name[100], path[120];
    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(name, sizeof name, "%s/", directory);
    snprintf(path, sizeof path, "%s0000000000.json", name);
    assert_int_equal(symlink("/dev/full", path), 0);
    prefix = name;
    state_driver_reset(NULL);
    state_driver_run(dump_nowhere);
    assert_non_null(strstr(trace_error_message(), "0000000000.json: No space left on device"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0);
    fflush(stdout);
    int terminal = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    dup2(full, STDOUT_FILENO);
    prefix = NULL;
    state_driver_run(dump_nowhere);
    clearerr(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    close(full);
    assert_string_equal(trace_error_message(), "stdout: No space left on device");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_no_place),
        cmocka_unit_test(test_full_disks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
