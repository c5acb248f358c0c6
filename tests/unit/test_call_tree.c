/* SPDX-License-Identifier: MIT
 * Stacks of calls: recursion, missing ends, threads, processes and debug groups, as folded lines.
 */
#include "cmocka_all.h"
#include "trace/stacks/call_tree.h"
#include "trace/stacks/folded_stacks.h"
#include "trace/stacks/hash_order.h"

#include <stdlib.h>
#include <string.h>

#define MOST_OPEN 64

static const struct trace_function_sig functions[] = {{.name = "a", .number = 1},
                                                      {.name = "b", .number = 2},
                                                      {.name = "c", .number = 3},
                                                      {.name = "d", .number = 4}};
static const struct trace_function_sig push = {
    .name = "push", .arg_count = 1, .flags = TRACE_CALL_MARKER_PUSH};
static const struct trace_function_sig pop = {.name = "pop", .flags = TRACE_CALL_MARKER_POP};

/* Threads, which are named by the digits in a script. */
static const struct trace_origin origins[] = {{.process = 1, .thread = 10, .cpu = -1, .stream = -1},
                                              {.process = 1, .thread = 11, .cpu = -1, .stream = -1},
                                              {.process = 2, .thread = 10, .cpu = -1, .stream = -1}};

struct player {
    struct call_tree tree;
    int64_t time;
    uint64_t next_number;
    const struct trace_origin *origin;
    struct {
        const struct trace_function_sig *sig;
        const struct trace_origin *origin;
        uint64_t number;
    } open[MOST_OPEN];
    size_t open_count;
};

static void send(struct player *p, enum trace_event_kind kind, const struct trace_function_sig *sig,
                 uint64_t number, const char *group)
{
    const struct trace_value arg = {.type = TRACE_STRING, .count = strlen(group), .u.string = group};
    const struct trace_call call = {.sig = sig, .number = number, .arg_count = sig->arg_count, .args = &arg};
    const struct trace_event event = {
        .kind = kind, .number = number, .time = p->time, .origin = p->origin, .call = &call};
    assert_int_equal(call_tree_add(&p->tree, &event), 0);
}

static void enter(struct player *p, const struct trace_function_sig *sig, const char *group)
{
    p->open[p->open_count].sig = sig;
    p->open[p->open_count].origin = p->origin;
    p->open[p->open_count++].number = p->next_number;
    send(p, TRACE_EVENT_ENTER, sig, p->next_number++, group);
}

/* Ends the innermost call of the function, like a source does. */
static void leave(struct player *p, const struct trace_function_sig *sig, enum trace_event_kind kind)
{
    size_t i = p->open_count;
    while (i > 0 && (p->open[i - 1].sig != sig || p->open[i - 1].origin != p->origin))
        --i;
    if (i == 0) {
        send(p, kind, sig, p->next_number++, "");
        return;
    }
    send(p, kind, sig, p->open[i - 1].number, "");
    memmove(p->open + i - 1, p->open + i, (p->open_count - i) * sizeof *p->open);
    --p->open_count;
}

/* a: enter a; A: exit; "~A": tail exit; a digit: go on in another thread; +: push the group "g;1"; -: pop.
 * Each of them comes one nanosecond after the one before it, and a dot takes ten. */
static void play(struct player *p, const char *script, const struct call_tree_options *options)
{
    memset(p, 0, sizeof *p);
    p->origin = &origins[0];
    call_tree_init(&p->tree, options);
    for (; *script != '\0'; ++script) {
        enum trace_event_kind kind = *script == '~' ? TRACE_EVENT_TAIL_EXIT : TRACE_EVENT_EXIT;
        script += *script == '~';
        p->time += *script == '.' ? 10 : 1;
        if (*script >= '0' && *script <= '2') {
            p->origin = &origins[*script - '0'];
        } else if (*script >= 'a' && *script <= 'd') {
            enter(p, &functions[*script - 'a'], "");
        } else if (*script >= 'A' && *script <= 'D') {
            leave(p, &functions[*script - 'A'], kind);
        } else if (*script == '+' || *script == '-') {
            const struct trace_function_sig *sig = *script == '+' ? &push : &pop;
            enter(p, sig, "g;1");
            leave(p, sig, TRACE_EVENT_EXIT);
        }
    }
    assert_int_equal(call_tree_finish(&p->tree), 0);
}

static int never_flush(void *context)
{
    (void)context;
    fail();
    return 0;
}

static void append_folded(struct player *p, struct buf *out, enum folded_value value, uint32_t top,
                          const char *prefix)
{
    const char *names[16];
    for (size_t i = 0; i < p->tree.stacks.functions.count; ++i)
        names[i] = p->tree.stacks.functions.functions[i].sig->name;
    const struct folded_stacks f = {.value = value, .names = names, .out = out, .flush = never_flush};
    assert_int_equal(folded_stacks_append(&f, &p->tree, top, prefix), 0);
}

/* The stacks of each thread in the order of occurrence. */
static void expect(const char *script, enum folded_value value, const char *wanted, uint64_t open,
                   uint64_t unmatched)
{
    struct player *p = calloc(1, sizeof *p);
    struct buf out = BUF_INIT;
    assert_non_null(p);
    play(p, script, &(struct call_tree_options){.has_groups = true});
    for (size_t i = 0; i < p->tree.thread_count; ++i) {
        char prefix[] = {(char)('0' + i), ';', '\0'};
        append_folded(p, &out, value, p->tree.threads[i], prefix);
    }
    assert_int_equal(buf_append_byte(&out, '\0'), 0);
    assert_string_equal((const char *)out.data, wanted);
    assert_int_equal(p->tree.stacks.open, open);
    assert_int_equal(p->tree.stacks.unmatched, unmatched);
    call_tree_fini(&p->tree);
    buf_fini(&out);
    free(p);
}

static void test_times(void **state)
{
    (void)state;
    expect("a.b.BcC.A", FOLDED_SELF, "0;a 23\n0;a;c 1\n0;a;b 11\n", 0, 0);
    expect("a.b.BcC.A", FOLDED_TOTAL, "0;a 35\n0;a;c 1\n0;a;b 11\n", 0, 0);
    expect("abBbBA", FOLDED_COUNT, "0;a 1\n0;a;b 2\n", 0, 0);
}

static void test_recursion(void **state)
{
    (void)state;
    expect("aa.AaAA", FOLDED_SELF, "0;a 3\n0;a;a 12\n", 0, 0);
    expect("abaABA", FOLDED_TOTAL, "0;a 5\n0;a;b 3\n0;a;b;a 1\n", 0, 0);
}

/* The function that is called at the end is a callee of the caller. */
static void test_tail_calls(void **state)
{
    (void)state;
    expect("ab~BcCA", FOLDED_COUNT, "0;a 1\n0;a;c 1\n0;a;b 1\n", 0, 0);
}

static void test_missing_ends(void **state)
{
    (void)state;
    expect("abcBA", FOLDED_SELF, "0;a 2\n0;a;b 1\n0;a;b;c 1\n", 0, 0); /* c ends with b */
    expect("Cab.BD", FOLDED_SELF, "0;a;b 11\n", 1, 2);                 /* a does not end */
    expect("aB.A", FOLDED_SELF, "0;a 12\n", 0, 1);
}

static void test_threads(void **state)
{
    (void)state;
    expect("a1b.0cC1B0A", FOLDED_SELF, "0;a 18\n0;a;c 1\n1;b 15\n", 0, 0);
    expect("a2a.A0A", FOLDED_COUNT, "0;a 1\n1;a 1\n", 0, 0); /* threads of two processes with one number */
}

/* A group ends with the call that pops it, or with the trace. The name's semicolon would end it. */
static void test_groups(void **state)
{
    (void)state;
    expect("aA+bB-cC", FOLDED_COUNT, "0;a 1\n0;push 1\n0;g:1 1\n0;g:1;pop 1\n0;g:1;b 1\n0;c 1\n", 0, 0);
    expect("+bB+cC", FOLDED_COUNT, "0;push 1\n0;g:1 1\n0;g:1;g:1 1\n0;g:1;g:1;c 1\n0;g:1;push 1\n0;g:1;b 1\n",
           0, 0);
    expect("-aA", FOLDED_COUNT, "0;pop 1\n0;a 1\n", 0, 0);
}

static bool wants_b(void *context, const struct trace_event *event)
{
    (void)context;
    return strcmp(event->call->sig->name, "b") == 0;
}

/* What is not wanted is on the stacks, but does not count. */
static void test_wants(void **state)
{
    struct player *p = calloc(1, sizeof *p);
    struct buf out = BUF_INIT;
    (void)state;
    assert_non_null(p);
    play(p, "ab.cCB+bB-A", &(struct call_tree_options){.has_groups = true, .wants = wants_b});
    append_folded(p, &out, FOLDED_SELF, p->tree.threads[0], "");
    assert_int_equal(buf_append_byte(&out, '\0'), 0);
    assert_string_equal((const char *)out.data, "a;g:1;b 1\na;b 12\n");
    call_tree_fini(&p->tree);
    buf_fini(&out);
    free(p);
}

/* Outermost calls that were there go to the end; callees of the tree that is added come first. */
static void test_merge(void **state)
{
    struct player *p = calloc(1, sizeof *p);
    struct buf out = BUF_INIT;
    uint32_t top;
    (void)state;
    assert_non_null(p);
    play(p, "abBcCAdD1adDcC.AbB", &(struct call_tree_options){.has_groups = true});
    assert_int_equal(call_tree_merge(&p->tree, (const uint32_t[]){0, 1}, &top), 0);
    append_folded(p, &out, FOLDED_COUNT, top, "");
    assert_int_equal(buf_append_byte(&out, '\0'), 0);
    assert_string_equal((const char *)out.data, "d 1\na 2\na;b 1\na;c 2\na;d 1\nb 1\n");
    call_tree_fini(&p->tree);
    buf_fini(&out);
    free(p);
}

/* Memory does not grow with the depth for ever, and nothing overflows. */
static void test_depth(void **state)
{
    struct player *p = calloc(1, sizeof *p);
    const struct call_tree_options options = {.has_ticks = false};
    (void)state;
    assert_non_null(p);
    p->origin = &origins[0];
    call_tree_init(&p->tree, &options);
    for (size_t i = 0; i < 2 * THREAD_STACK_MAX; ++i, ++p->time)
        send(p, TRACE_EVENT_ENTER, &functions[i % 4], i, "");
    assert_int_equal(p->tree.count, CALL_TREE_DEPTH_MAX + 1);
    assert_true(p->tree.stacks.threads[0]->count <= THREAD_STACK_MAX);
    for (size_t i = 2 * THREAD_STACK_MAX; i > 0; --i, ++p->time)
        send(p, TRACE_EVENT_EXIT, &functions[(i - 1) % 4], i - 1, "");
    assert_int_equal(call_tree_finish(&p->tree), 0);
    assert_int_equal(p->tree.stacks.open, p->tree.stacks.unmatched);
    uint64_t self = 0;
    for (size_t i = 0; i < p->tree.count; ++i)
        self += p->tree.nodes[i].self_time;
    assert_int_equal(self, 2 * (2 * THREAD_STACK_MAX - p->tree.stacks.open) - 1);
    call_tree_fini(&p->tree);
    free(p);
}

/* Slots 0 to 63 by the hash; a taken one is passed with growing steps; 48 keys do not fit into 64 slots. */
static void test_hash_order(void **state)
{
    uint32_t order[48], hashes[48] = {5, 3, 67, 3, 0};
    (void)state;
    assert_int_equal(hash_order_find(hashes, 5, order), 0);
    assert_memory_equal(order, ((const uint32_t[]){4, 1, 2, 0, 3}), 5 * sizeof *order);
    for (uint32_t i = 0; i < 48; ++i)
        hashes[i] = 64 + i + (i == 47 ? 1 : 0);
    assert_int_equal(hash_order_find(hashes, 47, order), 0);
    assert_int_equal(order[46], 46);
    hashes[0] = 0;
    hashes[1] = 127;
    assert_int_equal(hash_order_find(hashes, 48, order), 0);
    assert_int_equal(order[0], 0);
    assert_int_equal(order[47], 1);
    assert_int_equal(hash_order_number(2), 74);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),      cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_tail_calls), cmocka_unit_test(test_missing_ends),
        cmocka_unit_test(test_threads),    cmocka_unit_test(test_groups),
        cmocka_unit_test(test_wants),      cmocka_unit_test(test_merge),
        cmocka_unit_test(test_depth),      cmocka_unit_test(test_hash_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
