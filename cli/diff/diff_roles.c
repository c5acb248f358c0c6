/* SPDX-License-Identifier: MIT */
#include "diff/diff_roles.h"

#include "base/error.h"
#include "base/hash_map.h"

#include <stdlib.h>

#define KINDS 256 /* index 0: addresses; others: kinds of objects */

struct roles {
    const struct diff_rules *rules;
    struct diff_cursor a, b;
    struct diff_function_cache *cache;
    struct int_map *forth; /* for each kind, maps a's value to b's */
    struct int_map *back;
    struct int_map a_in_use, b_in_use; /* map threads to programs */
    bool differ;                       /* the current calls differ */
    int rc;
};

/* --- values ---------------------------------------------------------------------------------------- */

/* The scope in which names are compared. */
struct space {
    unsigned kind;
    uint64_t a_scope, b_scope; /* the programs to which the names belong; 0: none */
    bool fresh;                /* the values are newly created, so earlier counterparts are void */
};

/* Scopes, and the names in them, are numbers below 2^32. Addresses have no scope. */
static uint64_t key_of(uint64_t scope, uint64_t value)
{
    return scope << 32 ^ value;
}

/* Makes a and b each other's counterparts, and notes a difference if one of them had another one. Neither
 * stands for "no object". */
static void check_pair(struct roles *s, const struct space *in, uint64_t a, uint64_t b)
{
    struct int_map *forth = &s->forth[in->kind], *back = &s->back[in->kind];
    uint64_t of_a, of_b;
    bool has_a = int_map_get(forth, key_of(in->a_scope, a), &of_a);
    bool has_b = int_map_get(back, key_of(in->b_scope, b), &of_b);
    if (has_a && has_b && of_a == b && of_b == a)
        return;
    if (has_a)
        int_map_remove(back, key_of(in->b_scope, of_a));
    if (has_b)
        int_map_remove(forth, key_of(in->a_scope, of_b));
    s->differ |= !in->fresh && (has_a || has_b);
    int rc = int_map_set(forth, key_of(in->a_scope, a), b);
    if (rc == 0)
        rc = int_map_set(back, key_of(in->b_scope, b), a);
    if (rc != 0)
        s->rc = rc;
}

/* Compares the addresses in two values. Everything else in them is equal, because their digests are. */
static void check_addresses(struct roles *s, const struct trace_value *a, const struct trace_value *b,
                            bool fresh)
{
    bool has_items = a->type == TRACE_STRUCT || (a->type == TRACE_ARRAY && a->element == TRACE_NONE);
    if (a->type == TRACE_OPAQUE && b->type == TRACE_OPAQUE && a->u.uint != 0 && b->u.uint != 0)
        check_pair(s, &(struct space){.fresh = fresh}, a->u.uint, b->u.uint);
    else if (has_items && b->type == a->type && a->count == b->count &&
             (a->type != TRACE_ARRAY || b->element == TRACE_NONE))
        for (uint64_t i = 0; i < a->count; ++i)
            check_addresses(s, &a->u.items[i], &b->u.items[i], fresh);
}

static void check_object(struct roles *s, const struct diff_arg_rule *rule, const struct space *in,
                         const struct trace_value *a, const struct trace_value *b)
{
    uint64_t x = trace_value_to_uint(a, 0), y = trace_value_to_uint(b, 0);
    if (!diff_is_none(rule, x) && !diff_is_none(rule, y))
        check_pair(s, in, x, y);
}

static void check_objects(struct roles *s, const struct diff_arg_rule *rule, const struct space *in,
                          const struct trace_value *a, const struct trace_value *b)
{
    if (a->type != TRACE_ARRAY || b->type != TRACE_ARRAY) {
        check_object(s, rule, in, a, b);
        return;
    }
    for (uint64_t i = 0; i < a->count && i < b->count; ++i) {
        struct trace_value x, y;
        trace_array_get(a, i, &x);
        trace_array_get(b, i, &y);
        check_object(s, rule, in, &x, &y);
    }
}

/* Returns the program to which the argument's name belongs. */
static uint64_t find_scope(const struct diff_arg_rule *rule, const struct trace_call *call,
                           const struct int_map *in_use)
{
    uint64_t program = 0;
    if (!rule->scoped)
        return 0;
    if (rule->key < call->arg_count)
        return trace_value_to_uint(&call->args[rule->key], 0);
    int_map_get(in_use, call->thread, &program);
    return program;
}

/* --- calls ----------------------------------------------------------------------------------------- */

struct calls {
    const struct trace_call *a;
    const struct trace_call *b;
};

static void check_value(struct roles *s, const struct diff_arg_rule *rule, const struct calls *c,
                        const struct trace_value *a, const struct trace_value *b, bool is_return)
{
    if (rule->treatment == DIFF_BY_ROLE) {
        struct space in = {rule->kind, find_scope(rule, c->a, &s->a_in_use),
                           find_scope(rule, c->b, &s->b_in_use), rule->creates};
        check_objects(s, rule, &in, a, b);
    } else if (rule->treatment == DIFF_EXACTLY && s->rules->pointers) {
        check_addresses(s, a, b, is_return);
    }
}

/* Remembers the program that the call makes current. */
static void note_program(struct roles *s, const struct diff_function *f, const struct trace_call *call,
                         struct int_map *in_use)
{
    if (f != NULL && f->uses_program &&
        int_map_set(in_use, call->thread, trace_value_to_uint(call->args, 0)) != 0)
        s->rc = TRACE_ERR_MEMORY;
}

static void check_calls(struct roles *s, const struct calls *c)
{
    const struct diff_function *f = diff_look_up_function(s->cache, s->rules, c->a->sig);
    s->differ = false;
    if (f == NULL) {
        s->rc = TRACE_ERR_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < c->a->arg_count && i < c->b->arg_count; ++i)
        check_value(s, diff_arg_rule(f, i), c, &c->a->args[i], &c->b->args[i], false);
    check_value(s, diff_return_rule(f), c, &c->a->ret, &c->b->ret, true);
    note_program(s, f, c->a, &s->a_in_use);
    note_program(s, f, c->b, &s->b_in_use);
}

static int check_next(struct roles *s)
{
    struct calls c = {NULL, NULL};
    int rc = diff_cursor_next(&s->a, &c.a);
    if (rc == 0)
        rc = diff_cursor_next(&s->b, &c.b);
    if (rc == 0) {
        check_calls(s, &c);
        rc = s->rc;
    }
    call_input_release(&s->a.in, c.a);
    call_input_release(&s->b.in, c.b);
    return rc;
}

/* Skips calls of one trace, up to index `end`. */
static int pass(struct roles *s, struct diff_cursor *cursor, size_t end, struct int_map *in_use)
{
    int rc = 0;
    while (cursor->next < end && rc == 0) {
        const struct trace_call *call = NULL;
        rc = diff_cursor_next(cursor, &call);
        if (rc == 0) {
            note_program(s, diff_look_up_function(s->cache, s->rules, call->sig), call, in_use);
            rc = s->rc;
        }
        call_input_release(&cursor->in, call);
    }
    return rc;
}

static int check_all(struct roles *s, const struct diff_script *in, struct diff_script *out)
{
    int rc = 0;
    for (size_t n = 0; n <= in->count && rc == 0; ++n) {
        size_t end = n < in->count ? in->hunks[n].a : s->a.trace->count;
        while (s->a.next < end && rc == 0) {
            rc = check_next(s);
            if (rc == 0 && s->differ)
                rc = diff_script_add(out, &(struct diff_hunk){s->a.next - 1, 1, s->b.next - 1, 1});
        }
        if (n == in->count || rc != 0)
            break;
        rc = diff_script_add(out, &in->hunks[n]);
        if (rc == 0)
            rc = pass(s, &s->a, in->hunks[n].a + in->hunks[n].a_count, &s->a_in_use);
        if (rc == 0)
            rc = pass(s, &s->b, in->hunks[n].b + in->hunks[n].b_count, &s->b_in_use);
    }
    return rc;
}

int diff_check_roles(struct diff_trace *a, struct diff_trace *b, const struct diff_rules *rules,
                     const struct diff_script *in, struct diff_script *out)
{
    struct roles s = {.rules = rules, .cache = calloc(1, sizeof *s.cache)};
    s.forth = calloc(2 * KINDS, sizeof *s.forth);
    int rc = s.cache == NULL || s.forth == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : 0;
    if (rc == 0) {
        s.back = s.forth + KINDS;
        rc = diff_cursor_open(&s.a, a);
    }
    if (rc == 0)
        rc = diff_cursor_open(&s.b, b);
    if (rc == 0)
        rc = check_all(&s, in, out);
    diff_cursor_close(&s.a);
    diff_cursor_close(&s.b);
    for (size_t i = 0; i < 2 * KINDS && s.forth != NULL; ++i)
        int_map_fini(&s.forth[i]);
    int_map_fini(&s.a_in_use);
    int_map_fini(&s.b_in_use);
    free(s.forth);
    if (s.cache != NULL)
        diff_function_cache_fini(s.cache);
    free(s.cache);
    return rc;
}
