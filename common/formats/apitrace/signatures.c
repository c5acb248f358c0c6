/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/signatures.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void trace_signatures_init(struct trace_signatures *s)
{
    memset(s, 0, sizeof *s);
    arena_init(&s->arena);
    arena_init(&s->scratch);
}

void trace_signatures_fini(struct trace_signatures *s)
{
    for (unsigned i = 0; i < TRACE_SIG_KINDS; ++i) {
        free(s->tables[i].dense);
        int_map_fini(&s->tables[i].sparse);
    }
    free(s->defined);
    int_map_fini(&s->hidden);
    arena_fini(&s->arena);
    arena_fini(&s->scratch);
    trace_signatures_init(s);
}

void *trace_signatures_find_sparse(const struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id)
{
    uint64_t pointer = 0;
    int_map_get(&s->tables[kind].sparse, id, &pointer);
    return (void *)(uintptr_t)pointer;
}

static int grow_dense(struct trace_sig_table *t, uint32_t id)
{
    uint32_t cap = t->cap == 0 ? 256 : t->cap;
    while (cap <= id)
        cap *= 2;
    void **dense = realloc(t->dense, cap * sizeof *dense);
    if (dense == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: signature table");
    memset(dense + t->cap, 0, (cap - t->cap) * sizeof *dense);
    t->dense = dense;
    t->cap = cap;
    return 0;
}

static int note_definition(struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id)
{
    if (ARRAY_RESERVE(s->defined, s->defined_count, s->defined_cap) != 0)
        return TRACE_ERR_MEMORY;
    s->defined[s->defined_count++] = (struct trace_sig_definition){kind, id};
    return 0;
}

/* --- definitions that come again ------------------------------------------------------------------- */

static uint64_t hidden_key(enum trace_sig_kind kind, uint32_t id)
{
    return (uint64_t)kind << 32 | id;
}

static void *find_hidden(const struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id)
{
    uint64_t pointer = 0;
    int_map_get(&s->hidden, hidden_key(kind, id), &pointer);
    return (void *)(uintptr_t)pointer;
}

static int note_hidden(struct trace_signatures *s, enum trace_sig_kind kind)
{
    const struct trace_sig_table *t = &s->tables[kind];
    int rc = 0;
    for (uint32_t id = 0; id < t->cap && rc == 0; ++id)
        if (t->dense[id] != NULL)
            rc = int_map_set(&s->hidden, hidden_key(kind, id), (uint64_t)(uintptr_t)t->dense[id]);
    for (size_t i = 0; i < t->sparse.cap && rc == 0; ++i)
        if (t->sparse.slots[i].state == INT_MAP_USED)
            rc = int_map_set(&s->hidden, hidden_key(kind, (uint32_t)t->sparse.slots[i].key),
                             t->sparse.slots[i].value);
    return rc;
}

int trace_signatures_hide(struct trace_signatures *s, bool keep)
{
    int rc = 0;
    trace_signatures_rollback(s);
    s->defined_count = s->committed = 0;
    s->times_hidden++;
    if (!keep)
        int_map_fini(&s->hidden);
    for (unsigned kind = 0; kind < TRACE_SIG_KINDS && rc == 0; ++kind) {
        struct trace_sig_table *t = &s->tables[kind];
        rc = keep ? note_hidden(s, (enum trace_sig_kind)kind) : 0;
        if (t->cap > 0)
            memset(t->dense, 0, t->cap * sizeof *t->dense);
        int_map_fini(&t->sparse);
    }
    return rc;
}

static void swap_arenas(struct trace_signatures *s)
{
    struct arena arena = s->arena;
    s->arena = s->scratch;
    s->scratch = arena;
}

void *trace_signatures_begin(struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id)
{
    void *known = s->hidden.len > 0 ? find_hidden(s, kind, id) : NULL;
    if (known != NULL)
        swap_arenas(s);
    return known;
}

void trace_signatures_end(struct trace_signatures *s, const void *known)
{
    if (known == NULL)
        return;
    swap_arenas(s);
    arena_reset(&s->scratch);
}

int trace_signatures_define(struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id, void *sig)
{
    void *known = find_hidden(s, kind, id);
    if (known != NULL)
        sig = known;
    struct trace_sig_table *t = &s->tables[kind];
    int rc = note_definition(s, kind, id);
    if (rc != 0)
        return rc;
    if (id >= TRACE_SIG_DENSE)
        return int_map_set(&t->sparse, id, (uint64_t)(uintptr_t)sig);
    if (id >= t->cap && (rc = grow_dense(t, id)) != 0)
        return rc;
    t->dense[id] = sig;
    return 0;
}

void trace_signatures_rollback(struct trace_signatures *s)
{
    for (size_t i = s->committed; i < s->defined_count; ++i) {
        struct trace_sig_table *t = &s->tables[s->defined[i].kind];
        uint32_t id = s->defined[i].id;
        if (id < t->cap)
            t->dense[id] = NULL;
        else
            int_map_remove(&t->sparse, id);
    }
    s->defined_count = s->committed;
}

int trace_signatures_learn(struct trace_signatures *s, const struct trace_signatures *from, size_t until)
{
    int rc = 0;
    for (; s->learned < until && rc == 0; s->learned++) {
        const struct trace_sig_definition *d = &from->defined[s->learned];
        if (trace_signatures_find(s, d->kind, d->id) == NULL)
            rc = trace_signatures_define(s, d->kind, d->id, trace_signatures_find(from, d->kind, d->id));
    }
    trace_signatures_commit(s);
    return rc;
}
