/* SPDX-License-Identifier: MIT
 * Tests which calls a flight recorder keeps of those that have left its memory.
 */
#include "cmocka_all.h"
#include "collector/flight/flight_state.h"

#include "base/varint.h"
#include "spec_ids.h"
#include "trace/model.h"
#include "formats/apitrace/format.h"

#include <stdio.h>
#include <string.h>

struct fixture {
    struct flight_state *state;
    uint64_t number;
    uint32_t thread;
};

static int set_up(void **state)
{
    static struct fixture f;
    f = (struct fixture){.number = 0};
    *state = &f;
    return flight_state_new(&f.state);
}

static int tear_down(void **state)
{
    flight_state_free(((struct fixture *)*state)->state);
    return 0;
}

/* --- calls ------------------------------------------------------------------------------------------ */

struct event {
    uint8_t bytes[256];
    size_t size;
};

static void put(struct event *e, uint8_t byte)
{
    e->bytes[e->size++] = byte;
}

static void put_number(struct event *e, uint64_t value)
{
    e->size += varint_put(e->bytes + e->size, value);
}

static void put_uint(struct event *e, uint64_t value)
{
    put(e, TRACE_UINT);
    put_number(e, value);
}

static void put_argument(struct event *e, unsigned index)
{
    put(e, TRACE_DETAIL_ARG);
    put_number(e, index);
}

/* Makes a call with these numbers as arguments. `array` is the index of the argument that gets the `count`
 * names. */
struct made {
    unsigned function;
    unsigned args[6], arg_count;
    int array; /* -1: none */
    unsigned names[4], count;
    bool returns;
    unsigned result;
};

static uint64_t make(struct fixture *f, const struct made *m)
{
    struct event enter = {.size = 0}, leave = {.size = 0};
    bool out = m->array >= 0 &&
               (spec_param(&spec_functions[m->function], (unsigned)m->array)->flags & SPEC_PARAM_OUT) != 0;
    put(&enter, TRACE_RAW_EVENT_ENTER);
    put_number(&enter, f->thread);
    put_number(&enter, m->function);
    for (unsigned i = 0; i < m->arg_count; ++i) {
        if ((int)i == m->array)
            continue;
        put_argument(&enter, i);
        put_uint(&enter, m->args[i]);
    }
    put(&leave, TRACE_RAW_EVENT_LEAVE);
    put_number(&leave, f->number);
    if (m->array >= 0) {
        struct event *e = out ? &leave : &enter;
        put_argument(e, (unsigned)m->array);
        put(e, TRACE_ARRAY);
        put_number(e, m->count);
        for (unsigned i = 0; i < m->count; ++i)
            put_uint(e, m->names[i]);
    }
    if (m->returns) {
        put(&leave, TRACE_DETAIL_RET);
        put_uint(&leave, m->result);
    }
    put(&enter, TRACE_DETAIL_END);
    put(&leave, TRACE_DETAIL_END);
    _Alignas(8) uint8_t room[sizeof(struct flight_call) + sizeof enter + sizeof leave];
    const struct flight_call call = {.number = f->number++,
                                     .thread = f->thread,
                                     .function = m->function,
                                     .enter_size = (uint32_t)enter.size,
                                     .leave_size = (uint32_t)leave.size};
    memcpy(room, &call, sizeof call);
    memcpy(room + sizeof call, enter.bytes, enter.size);
    memcpy(room + sizeof call + enter.size, leave.bytes, leave.size);
    assert_int_equal(flight_state_add(f->state, (const struct flight_call *)room), 0);
    return call.number;
}

static uint64_t create_context(struct fixture *f, unsigned handle, unsigned share)
{
    return make(f, &(struct made){SPEC_FN_glXCreateContext, {1, 0, share, 1}, 4, -1, {0}, 0, true, handle});
}

static uint64_t make_current(struct fixture *f, unsigned handle)
{
    return make(f, &(struct made){SPEC_FN_glXMakeCurrent, {1, 7, handle}, 3, -1, {0}, 0, true, 1});
}

static uint64_t generate(struct fixture *f, unsigned a, unsigned b)
{
    return make(f, &(struct made){SPEC_FN_glGenTextures, {2, 0}, 2, 1, {a, b}, 2, false, 0});
}

static uint64_t delete (struct fixture *f, unsigned name)
{
    return make(f, &(struct made){SPEC_FN_glDeleteTextures, {1, 0}, 2, 1, {name}, 1, false, 0});
}

static uint64_t bind(struct fixture *f, unsigned name)
{
    return make(f, &(struct made){SPEC_FN_glBindTexture, {0x0de1, name}, 2, -1, {0}, 0, false, 0});
}

static uint64_t select_unit(struct fixture *f, unsigned unit)
{
    return make(f, &(struct made){SPEC_FN_glActiveTexture, {0x84c0 + unit}, 1, -1, {0}, 0, false, 0});
}

/* Checks the numbers of the calls that are kept. UINT64_MAX ends the list. */
static void check(struct fixture *f, const uint64_t *numbers)
{
    struct buf out = BUF_INIT;
    uint64_t count = 0, n = 0;
    assert_int_equal(flight_state_copy(f->state, &out, &count), 0);
    for (size_t at = 0; at < out.len; ++n) {
        const struct flight_call *call = (const struct flight_call *)(out.data + at);
        assert_int_equal(call->number, numbers[n]);
        at += flight_call_size(call);
    }
    assert_int_equal(numbers[n], UINT64_MAX);
    assert_int_equal(count, n);
    buf_fini(&out);
}

#define CHECK(f, ...) check(f, (const uint64_t[]){__VA_ARGS__, UINT64_MAX})

/* --- tests ------------------------------------------------------------------------------------------ */

static void test_names_are_kept_until_they_are_deleted(void **state)
{
    struct fixture *f = *state;
    uint64_t context = create_context(f, 100, 0), current = make_current(f, 100);
    uint64_t first = generate(f, 1, 2), second = generate(f, 3, 4);
    CHECK(f, context, current, first, second);
    uint64_t one = delete (f, 1);
    CHECK(f, context, current, first, second, one); /* name 2 still exists */
    delete (f, 2);
    CHECK(f, context, current, second);
    delete (f, 3);
    delete (f, 4);
    CHECK(f, context, current);
}

static void test_the_latest_binding_of_each_unit_is_kept(void **state)
{
    struct fixture *f = *state;
    uint64_t context = create_context(f, 100, 0), current = make_current(f, 100);
    uint64_t made = generate(f, 1, 2);
    uint64_t first = bind(f, 1),
             second = bind(f, 2); /* both are kept: a name's first binding determines its type */
    CHECK(f, context, current, made, first, second);
    uint64_t third = bind(f, 1);
    CHECK(f, context, current, made, first, second, third);
    uint64_t fourth = bind(f, 2);
    CHECK(f, context, current, made, first, second, fourth);
    uint64_t unit = select_unit(f, 1), fifth = bind(f, 1);
    uint64_t back = select_unit(f, 0);
    CHECK(f, context, current, made, first, second, fourth, unit, fifth, back);
    delete (f, 1);
    uint64_t none = make(f, &(struct made){SPEC_FN_glUseProgram, {0}, 1, -1, {0}, 0, false, 0});
    make(f, &(struct made){SPEC_FN_glUseProgram, {0}, 1, -1, {0}, 0, false, 0});
    (void)none;
    assert_int_equal(flight_state_size(f->state), 8); /* the deletion is kept, too, as 2 exists */
}

static uint64_t set_viewport(struct fixture *f, unsigned width)
{
    return make(f, &(struct made){SPEC_FN_glViewport, {0, 0, width, 20}, 4, -1, {0}, 0, false, 0});
}

/* Replayers set the size of windows by viewports. */
static void test_the_latest_viewport_of_each_context_is_kept(void **state)
{
    struct fixture *f = *state;
    uint64_t a = create_context(f, 100, 0), b = create_context(f, 200, 0), current = make_current(f, 100);
    set_viewport(f, 10);
    uint64_t second = set_viewport(f, 20);
    CHECK(f, a, b, current, second);
    uint64_t other = make_current(f, 200), there = set_viewport(f, 30);
    CHECK(f, a, b, current, second, other, there);
}

static void test_a_name_that_is_bound_first_is_made_by_that(void **state)
{
    struct fixture *f = *state;
    uint64_t context = create_context(f, 100, 0), current = make_current(f, 100);
    uint64_t made = bind(f, 5), other = bind(f, 0);
    CHECK(f, context, current, made, other);
    delete (f, 5);
    CHECK(f, context, current, other);
}

static uint64_t new_list(struct fixture *f, unsigned list)
{
    return make(f, &(struct made){SPEC_FN_glNewList, {list, 0x1300}, 2, -1, {0}, 0, false, 0});
}

static uint64_t end_list(struct fixture *f)
{
    return make(f, &(struct made){SPEC_FN_glEndList, {0}, 0, -1, {0}, 0, false, 0});
}

static uint64_t begin_query(struct fixture *f, unsigned target, unsigned query)
{
    return make(f, &(struct made){SPEC_FN_glBeginQuery, {target, query}, 2, -1, {0}, 0, false, 0});
}

static uint64_t end_query(struct fixture *f, unsigned target)
{
    return make(f, &(struct made){SPEC_FN_glEndQuery, {target}, 1, -1, {0}, 0, false, 0});
}

static void test_names_that_two_calls_make(void **state)
{
    struct fixture *f = *state;
    uint64_t context = create_context(f, 100, 0), current = make_current(f, 100);
    uint64_t begun = new_list(f, 5);
    CHECK(f, context, current, begun);
    uint64_t ended = end_list(f);
    CHECK(f, context, current, begun, ended);
    uint64_t again = new_list(f, 5); /* the name exists, but only while the list is open */
    CHECK(f, context, current, begun, ended, again);
    end_list(f);
    end_list(f); /* without a glNewList */
    CHECK(f, context, current, begun, ended);
    make(f, &(struct made){SPEC_FN_glDeleteLists, {5, 1}, 2, -1, {0}, 0, false, 0});
    CHECK(f, context, current);
    uint64_t samples = begin_query(f, 0x8914, 7), time = begin_query(f, 0x88bf, 8);
    uint64_t samples_end = end_query(f, 0x8914);
    CHECK(f, context, current, samples, time, samples_end);
    make(f, &(struct made){SPEC_FN_glDeleteQueries, {1, 0}, 2, 1, {7}, 1, false, 0});
    CHECK(f, context, current, time);
    end_query(f, 0x88bf);
    make(f, &(struct made){SPEC_FN_glDeleteQueries, {1, 0}, 2, 1, {8}, 1, false, 0});
    CHECK(f, context, current);
}

static void test_contexts_take_their_objects_along(void **state)
{
    struct fixture *f = *state;
    uint64_t a = create_context(f, 100, 0), b = create_context(f, 200, 100);
    uint64_t current = make_current(f, 100), made = generate(f, 1, 2);
    CHECK(f, a, b, current, made);
    make_current(f, 0);
    make(f, &(struct made){SPEC_FN_glXDestroyContext, {1, 100}, 2, -1, {0}, 0, false, 0});
    CHECK(f, a, b, current, made); /* an object made in it is shared with 200 */
    make(f, &(struct made){SPEC_FN_glXDestroyContext, {1, 200}, 2, -1, {0}, 0, false, 0});
    assert_int_equal(flight_state_size(f->state), 0);
}

static void test_a_context_that_moves_was_released_before(void **state)
{
    struct fixture *f = *state;
    uint64_t a = create_context(f, 100, 0), current = make_current(f, 100), made = generate(f, 1, 2);
    uint64_t released = make_current(f, 0);
    f->thread = 1;
    uint64_t there = make_current(f, 100);
    CHECK(f, a, current, made, released, there);
}

static void test_what_is_kept_does_not_grow(void **state)
{
    struct fixture *f = *state;
    create_context(f, 100, 0);
    create_context(f, 200, 0);
    size_t most = 0;
    for (unsigned i = 0; i < 20000; ++i) {
        f->thread = i % 3;
        make_current(f, i % 2 == 0 ? 100 : 200);
        unsigned name = 10 + 2 * i;
        generate(f, name, name + 1);
        select_unit(f, i % 4);
        bind(f, name);
        make(f, &(struct made){SPEC_FN_glGetUniformLocation, {3, 0}, 2, -1, {0}, 0, true, i % 5});
        delete (f, name + 1);
        delete (f, name);
        make_current(f, 0);
        if (flight_state_size(f->state) > most)
            most = flight_state_size(f->state);
    }
    assert_true(most < 60);
}

/* Bytes that the encoder would not write must not be trusted. */
static void test_malformed_calls_are_ignored(void **state)
{
    struct fixture *f = *state;
    _Alignas(8) uint8_t room[sizeof(struct flight_call) + 16] = {0};
    struct flight_call call = {.function = SPEC_FN_glGenTextures, .enter_size = 8, .leave_size = 8};
    static const uint8_t enter[] = {0, 0, 5, 1, 0, 11, 255, 127}, leave[] = {1, 0, 2, 12, 255, 255, 3, 0};
    memcpy(room, &call, sizeof call);
    memcpy(room + sizeof call, enter, sizeof enter);
    memcpy(room + sizeof call + sizeof enter, leave, sizeof leave);
    assert_int_equal(flight_state_add(f->state, (const struct flight_call *)room), 0);
    assert_int_equal(flight_state_size(f->state), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names_are_kept_until_they_are_deleted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_latest_binding_of_each_unit_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_latest_viewport_of_each_context_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_name_that_is_bound_first_is_made_by_that, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names_that_two_calls_make, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_contexts_take_their_objects_along, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_context_that_moves_was_released_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_kept_does_not_grow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_malformed_calls_are_ignored, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
