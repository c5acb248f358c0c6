/* SPDX-License-Identifier: MIT */
#include "diff_roles.h"

#include "base/error.h"
#include "base/hash_map.h"

#include <stdlib.h>

#define KINDS 256 /* kind 0: addresses; the others: kinds of objects */

struct roles {
    const struct diff_rules *rules;
    struct diff_cursor a, b;
    struct diff_function_cache *cache; /* of a's signatures */
    struct int_map *forth;             /* by kind: a's value to b's */
    struct int_map *back;
    bool differ; /* the present calls do */
    int rc;
};

/* --- values ---------------------------------------------------------------------------------------- */

/* a and b are (from now on) each other's counterparts. fresh: the values are new names, whatever they were
 * before. */
static void check_pair(struct roles *s, unsigned kind, uint64_t a, uint64_t b, bool fresh)
{
    uint64_t of_a, of_b;
    bool has_a = int_map_get(&s->forth[kind], a, &of_a);
    bool has_b = int_map_get(&s->back[kind], b, &of_b);
    if (a == 0 || b == 0) {
        s->differ |= a != b;
        return;
    }
    if (has_a && has_b && of_a == b && of_b == a)
        return;
    if (has_a)
        int_map_remove(&s->back[kind], of_a);
    if (has_b)
        int_map_remove(&s->forth[kind], of_b);
    s->differ |= !fresh && (has_a || has_b);
    int rc = int_map_set(&s->forth[kind], a, b);
    if (rc == 0)
        rc = int_map_set(&s->back[kind], b, a);
    if (rc != 0)
        s->rc = rc;
}

/* Values that are equal but for addresses in them: their digests were. */
static void check_addresses(struct roles *s, const struct trace_value *a, const struct trace_value *b,
                            bool fresh)
{
    bool has_items = a->type == TRACE_STRUCT || (a->type == TRACE_ARRAY && a->element == TRACE_NONE);
    if (a->type == TRACE_OPAQUE && b->type == TRACE_OPAQUE)
        check_pair(s, 0, a->u.uint, b->u.uint, fresh);
    else if (has_items && b->type == a->type && a->count == b->count &&
             (a->type != TRACE_ARRAY || b->element == TRACE_NONE))
        for (uint64_t i = 0; i < a->count; ++i)
            check_addresses(s, &a->u.items[i], &b->u.items[i], fresh);
}

static void check_objects(struct roles *s, const struct diff_arg_rule *rule, const struct trace_value *a,
                          const struct trace_value *b)
{
    if (a->type != TRACE_ARRAY || b->type != TRACE_ARRAY) {
        check_pair(s, rule->kind, trace_value_to_uint(a, 0), trace_value_to_uint(b, 0), rule->creates);
        return;
    }
    for (uint64_t i = 0; i < a->count && i < b->count; ++i) {
        struct trace_value x, y;
        trace_array_get(a, i, &x);
        trace_array_get(b, i, &y);
        check_pair(s, rule->kind, trace_value_to_uint(&x, 0), trace_value_to_uint(&y, 0), rule->creates);
    }
}

static void check_value(struct roles *s, const struct diff_arg_rule *rule, const struct trace_value *a,
                        const struct trace_value *b, bool fresh)
{
    if (rule->treatment == DIFF_BY_ROLE)
        check_objects(s, rule, a, b);
    else if (rule->treatment == DIFF_EXACTLY && s->rules->pointers)
        check_addresses(s, a, b, fresh);
}

/* --- calls ----------------------------------------------------------------------------------------- */

static void check_calls(struct roles *s, const struct trace_call *a, const struct trace_call *b)
{
    const struct diff_function *f = diff_look_up_function(s->cache, s->rules, a->sig);
    s->differ = false;
    if (f == NULL) {
        s->rc = ERR_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < a->arg_count && i < b->arg_count; ++i)
        check_value(s, diff_arg_rule(f, i), &a->args[i], &b->args[i], false);
    check_value(s, diff_return_rule(f), &a->ret, &b->ret, true);
}

static int check_next(struct roles *s)
{
    const struct trace_call *a = NULL, *b = NULL;
    int rc = diff_cursor_next(&s->a, &a);
    if (rc == 0)
        rc = diff_cursor_next(&s->b, &b);
    if (rc == 0) {
        check_calls(s, a, b);
        rc = s->rc;
    }
    trace_call_release(s->a.reader, a);
    trace_call_release(s->b.reader, b);
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
            rc = diff_cursor_skip_to(&s->a, in->hunks[n].a + in->hunks[n].a_count);
        if (rc == 0)
            rc = diff_cursor_skip_to(&s->b, in->hunks[n].b + in->hunks[n].b_count);
    }
    return rc;
}

int diff_check_roles(struct diff_trace *a, struct diff_trace *b, const struct diff_rules *rules,
                     const struct diff_script *in, struct diff_script *out)
{
    struct roles s = {.rules = rules, .cache = calloc(1, sizeof *s.cache)};
    s.forth = calloc(2 * KINDS, sizeof *s.forth);
    int rc = s.cache == NULL || s.forth == NULL ? error_set(ERR_MEMORY, "out of memory") : 0;
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
    free(s.forth);
    if (s.cache != NULL)
        diff_function_cache_fini(s.cache);
    free(s.cache);
    return rc;
}
