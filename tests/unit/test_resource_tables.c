/* SPDX-License-Identifier: MIT
 * Tests the tables of resources: each backtrace is stored once, and what is allocated is known by type.
 */
#include "cmocka_all.h"
#include "next_random.h"
#include "resources/resource_stats.h"
#include "resources/stack_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- backtraces ------------------------------------------------------------------------------------ */

#define STACKS 5000

/* Returns the frames of stack i. They are valid until the next call. */
static const struct trace_frame *make_stack(unsigned i, char name[16])
{
    static struct trace_frame frames[2];
    snprintf(name, 16, "f%u", i);
    frames[0] = (struct trace_frame){.function = name, .line = -1, .offset = -1};
    frames[1] = (struct trace_frame){.address = 0x1000 + i / 2, .line = -1, .offset = -1};
    return frames;
}

/* Each of many stacks is found again, and has not changed. */
static void test_many_stacks(void **state)
{
    struct stack_table t;
    uint32_t found, places[STACKS];
    char name[16];
    (void)state;
    assert_int_equal(stack_table_init(&t), 0);
    for (unsigned round = 0; round < 2; ++round)
        for (unsigned i = 0; i < STACKS; ++i) {
            assert_int_equal(stack_table_find(&t, make_stack(i, name), 2, &found), 0);
            assert_int_not_equal(found, 0);
            if (round == 0)
                places[i] = found;
            assert_int_equal(found, places[i]);
            assert_string_equal(t.stacks[found].frames[0].function, name);
        }
    assert_int_equal(t.count, STACKS + 1);
    assert_int_equal(stack_table_find(&t, NULL, 0, &found), 0);
    assert_int_equal(found, 0);
    assert_string_equal(t.stacks[places[0]].frames[0].function, "f0"); /* a copy */
    stack_table_fini(&t);
}

/* Frames are different if any member is different. Equal strings may have different addresses. */
static void test_frames_that_differ(void **state)
{
    const struct trace_frame frames[] = {
        {.address = 1, .module = "m", .function = "f", .file = "s", .line = 1, .offset = 1},
        {.address = 2, .module = "m", .function = "f", .file = "s", .line = 1, .offset = 1},
        {.address = 1, .module = "n", .function = "f", .file = "s", .line = 1, .offset = 1},
        {.address = 1, .module = "m", .function = "g", .file = "s", .line = 1, .offset = 1},
        {.address = 1, .module = "m", .function = "f", .file = "t", .line = 1, .offset = 1},
        {.address = 1, .module = "m", .function = "f", .file = "s", .line = 2, .offset = 1},
        {.address = 1, .module = "m", .function = "f", .file = "s", .line = 1, .offset = 2},
        {.address = 1, .module = "m", .function = NULL, .file = "s", .line = 1, .offset = 1},
    };
    char function[] = "f";
    struct trace_frame again = frames[0];
    struct stack_table t;
    uint32_t place;
    (void)state;
    assert_int_equal(stack_table_init(&t), 0);
    for (uint32_t i = 0; i < sizeof frames / sizeof *frames; ++i) {
        assert_int_equal(stack_table_find(&t, &frames[i], 1, &place), 0);
        assert_int_equal(place, i + 1);
    }
    again.function = function;
    assert_int_equal(stack_table_find(&t, &again, 1, &place), 0);
    assert_int_equal(place, 1);
    assert_int_equal(stack_table_find(&t, frames, 2, &place), 0); /* a stack of the first two frames */
    assert_int_equal(place, sizeof frames / sizeof *frames + 1);
    stack_table_fini(&t);
}

/* --- what is alive --------------------------------------------------------------------------------- */

static void add(struct resource_stats *s, enum trace_event_kind kind, const struct trace_resource_type *type,
                uint64_t id, uint64_t size)
{
    static uint64_t number;
    static const struct trace_function_sig sig = {.name = "f"};
    const struct trace_call call = {.sig = &sig};
    const struct trace_event event = {.kind = kind,
                                      .number = ++number,
                                      .time = TRACE_NO_TIME,
                                      .call = &call,
                                      .u.resource = {type, id, size}};
    assert_int_equal(resource_stats_add(s, &event), 0);
}

static void expect_live(const struct resource_count *c, uint64_t live, uint64_t size, uint64_t peak)
{
    assert_int_equal(c->live, live);
    assert_int_equal(c->live_size, size);
    assert_int_equal(c->peak_size, peak);
}

/* Another reference is not another resource. The resource ends with its last reference. */
static void test_references(void **state)
{
    static const struct trace_resource_type counted = {.id = 1, .name = "handle", .refcounted = true};
    struct resource_stats s;
    (void)state;
    assert_int_equal(resource_stats_init(&s), 0);
    add(&s, TRACE_EVENT_ALLOC, &counted, 1, 10);
    add(&s, TRACE_EVENT_ALLOC, &counted, 1, 10);
    expect_live(&s.all, 1, 10, 10);
    add(&s, TRACE_EVENT_ALLOC, &counted, 2, 5);
    expect_live(&s.all, 2, 15, 15);
    add(&s, TRACE_EVENT_FREE, &counted, 1, 0);
    expect_live(&s.all, 2, 15, 15);
    add(&s, TRACE_EVENT_FREE, &counted, 1, 0);
    expect_live(&s.all, 1, 5, 15);
    add(&s, TRACE_EVENT_FREE, &counted, 1, 0); /* no reference is left */
    expect_live(&s.all, 1, 5, 15);
    assert_int_equal(s.all.allocations, 3);
    assert_int_equal(s.all.releases, 3);
    resource_stats_fini(&s);
}

/* Live resources are listed in the order of their allocation, although their entries are reused. */
static void test_list_order(void **state)
{
    static const struct trace_resource_type memory = {.id = 1, .name = "memory"};
    struct resource_stats s;
    size_t count;
    (void)state;
    assert_int_equal(resource_stats_init(&s), 0);
    for (uint64_t id = 0; id < 100; ++id)
        add(&s, TRACE_EVENT_ALLOC, &memory, id, 1);
    for (uint64_t id = 0; id < 100; id += 3)
        add(&s, TRACE_EVENT_FREE, &memory, id, 0);
    for (uint64_t id = 100; id < 120; ++id)
        add(&s, TRACE_EVENT_ALLOC, &memory, id, 1);
    const struct live_resource **list = resource_tracker_list(&s.tracker, &count);
    assert_non_null(list);
    assert_int_equal(count, 100 - 34 + 20);
    for (size_t i = 1; i < count; ++i) {
        assert_true(list[i]->number > list[i - 1]->number);
        assert_true(list[i]->id > list[i - 1]->id);
    }
    free(list);
    resource_stats_fini(&s);
}

/* Each type has its own ids. If a live id is allocated again, the older resource remains, too. */
static void test_types_apart(void **state)
{
    static const struct trace_resource_type memory = {.id = 1, .name = "memory"},
                                            file = {.id = 2, .name = "file"};
    struct resource_stats s;
    (void)state;
    assert_int_equal(resource_stats_init(&s), 0);
    add(&s, TRACE_EVENT_ALLOC, &memory, 1, 10);
    add(&s, TRACE_EVENT_ALLOC, &file, 1, 1);
    add(&s, TRACE_EVENT_FREE, &file, 1, 0);
    add(&s, TRACE_EVENT_ALLOC, &memory, 1, 20);
    assert_int_equal(s.type_count, 2);
    expect_live(&s.types[0], 2, 30, 30);
    expect_live(&s.types[1], 0, 0, 1);
    add(&s, TRACE_EVENT_FREE, &memory, 1, 0);
    add(&s, TRACE_EVENT_FREE, &memory, 1, 0);
    expect_live(&s.types[0], 1, 10, 30);
    expect_live(&s.all, 1, 10, 30);
    resource_stats_fini(&s);
}

/* After any sequence of releases, exactly the live resources are found. */
static void test_many_resources(void **state)
{
    enum { TYPES = 3, IDS = 3000, STEPS = 60000 };
    static const struct trace_resource_type types[TYPES] = {{.id = 1}, {.id = 2}, {.id = 3}};
    static uint64_t sizes[TYPES][IDS]; /* 0: released */
    struct resource_stats s;
    (void)state;
    assert_int_equal(resource_stats_init(&s), 0);
    for (uint64_t i = 1; i <= STEPS; ++i) {
        unsigned type = (unsigned)(next_random() % TYPES), id = (unsigned)(next_random() % IDS);
        bool is_alive = sizes[type][id] != 0;
        add(&s, is_alive ? TRACE_EVENT_FREE : TRACE_EVENT_ALLOC, &types[type], id * 16, i);
        sizes[type][id] = is_alive ? 0 : i;
        if (i % (STEPS / 10) != 0)
            continue;
        for (unsigned t = 0; t < TYPES; ++t)
            for (uint64_t n = 0; n < IDS; ++n) {
                const struct trace_resource wanted = {.type = &types[t], .id = n * 16};
                const struct live_resource *found = resource_tracker_find(&s.tracker, &wanted);
                assert_int_equal(found != NULL ? found->size : 0, sizes[t][n]);
            }
    }
    resource_stats_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_stacks), cmocka_unit_test(test_frames_that_differ),
        cmocka_unit_test(test_references),  cmocka_unit_test(test_types_apart),
        cmocka_unit_test(test_list_order),  cmocka_unit_test(test_many_resources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
