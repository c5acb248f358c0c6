/* SPDX-License-Identifier: MIT
 * Tests that no more values of a call are read than the trace has. Those of these calls end where memory ends
 * that can be read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "call/replay_lengths.h"
#include "handlers/handlers.h"
#include "handlers/traced_heap.h"
#include "replayer.h"
#include "stub_gl.h"

/* Returns a copy behind which nothing can be read. It is never freed. */
static const void *at_the_end(const void *values, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    assert_true(size <= page);
    assert_int_equal(mprotect(memory + page, page, PROT_NONE), 0);
    return size > 0 ? memcpy(memory + page - size, values, size) : memory + page;
}

/* --- strings ---------------------------------------------------------------------------------------------
 */

static void test_strings(void **state)
{
    (void)state;
    const char *texts[] = {"abc", "de"};
    int32_t lengths[] = {9, 2};
    const struct trace_value strings[] = {{.type = TRACE_STRING, .count = 3, .u.string = texts[0]},
                                          {.type = TRACE_STRING, .count = 2, .u.string = texts[1]}};
    const struct trace_value args[] = {
        {.type = TRACE_UINT},
        {.type = TRACE_UINT, .u.uint = 2},
        {.type = TRACE_ARRAY, .count = 2, .u.items = at_the_end(strings, sizeof strings)},
        {.type = TRACE_ARRAY, .count = 2}};
    const struct trace_call call = {.arg_count = 4, .args = args};
    struct replay_function function = {.spec = spec_find_function("glShaderSource")};
    struct replay_call c = {.call = &call,
                            .function = &function,
                            .args = {{.u = 5}, {.i = 2}, {.p = texts}, {.p = lengths}},
                            .given = {0, 0, 2, 2}};
    struct replay_context context = {.inside_begin = true};
    struct replayer r = {.current = &context};
    assert_int_equal(replay_check_lengths(&r, &c), 0);
    const int32_t *real = c.args[3].p;
    assert_int_equal(real[0], 3);
    assert_int_equal(real[1], 2);
    arena_fini(&r.scratch);
}

/* --- the program's memory --------------------------------------------------------------------------------
 */

/* What a damaged trace lacks is 0. */
static void test_calls_of_the_heap(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned count;
    } cases[] = {{"malloc", 0}, {"malloc", 1}, {"free", 0}, {"free", 1}, {"realloc", 0}, {"realloc", 1}};
    const struct trace_value number = {.type = TRACE_UINT, .u.uint = 8};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct trace_call call = {.arg_count = cases[i].count,
                                        .args = at_the_end(&number, cases[i].count * sizeof number),
                                        .ret = {.type = TRACE_OPAQUE, .u.uint = 0x5000}};
        struct replay_call c = {.call = &call};
        struct replayer r = {0};
        assert_int_equal(traced_heap_handler(cases[i].name)(&r, &c), 0);
        assert_int_equal(r.regions.count, i == 1); /* that of malloc(8) */
        memory_regions_fini(&r.regions);
    }
}

/* --- lists of attributes ---------------------------------------------------------------------------------
 */

/* A list may have no end, in damaged traces. */
static void test_attributes(void **state)
{
    (void)state;
    const uint64_t attributes[] = {12, 1};
    const struct trace_value args[] = {{.type = TRACE_OPAQUE},
                                       {.type = TRACE_UINT},
                                       {.type = TRACE_ARRAY,
                                        .element = TRACE_UINT,
                                        .count = 2,
                                        .u.uints = at_the_end(attributes, sizeof attributes)}};
    const struct trace_call call = {.arg_count = 3, .args = args};
    struct replay_call c = {.call = &call};
    struct replayer r = {.ws = &stub_windows};
    stub_gl_reset("4.6");
    stub_gl.found_configs = 1;
    assert_int_equal(handle_glx_choose_config(&r, &c), 0);
    assert_int_equal(handle_glx_choose_visual(&r, &c), 0);
    assert_string_equal(stub_gl.log, "configs for 12, 1, 0\nvisual for 12, 1, 0\n");
    replay_configs_fini(&r.configs);
}

/* A visual is a structure, which no number is, though it may look like one. */
static void test_visuals(void **state)
{
    (void)state;
    static const uint64_t number = TRACE_STRUCT;
    const struct trace_value v = {.type = TRACE_ARRAY,
                                  .element = TRACE_UINT,
                                  .count = 1,
                                  .u.uints = at_the_end(&number, sizeof number)};
    assert_int_equal(replay_visual_handle(&v), 0);
}

/* --- viewports -------------------------------------------------------------------------------------------
 */

/* One needs four numbers. */
static void test_viewports(void **state)
{
    (void)state;
    static const float numbers[] = {0, 0, 40};
    const struct trace_value args[] = {{.type = TRACE_UINT, .u.uint = 1},
                                       {.type = TRACE_ARRAY,
                                        .element = TRACE_FLOAT,
                                        .count = 3,
                                        .u.floats = at_the_end(numbers, sizeof numbers)}};
    const struct trace_call call = {.arg_count = 2, .args = args};
    struct replay_function function = {.spec = spec_find_function("glViewportIndexedfv")};
    struct replay_call c = {.call = &call, .function = &function};
    struct replay_context context = {.version = 46};
    struct replay_thread thread = {.context = &context};
    struct replayer r = {.ws = &stub_windows, .current = &context, .thread = &thread};
    stub_gl_reset("4.6");
    assert_int_equal(handle_viewport_indexed_v(&r, &c), 0);
    assert_string_equal(stub_gl.log, "glViewportIndexedfv(1)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),    cmocka_unit_test(test_calls_of_the_heap),
        cmocka_unit_test(test_attributes), cmocka_unit_test(test_visuals),
        cmocka_unit_test(test_viewports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
