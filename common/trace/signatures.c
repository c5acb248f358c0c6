/* SPDX-License-Identifier: MIT */
#include "trace/signatures.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void trace_signatures_init(struct trace_signatures *s)
{
    memset(s, 0, sizeof *s);
    arena_init(&s->arena);
}

void trace_signatures_fini(struct trace_signatures *s)
{
    for (unsigned i = 0; i < TRACE_SIG_KINDS; ++i) {
        free(s->tables[i].dense);
        int_map_fini(&s->tables[i].sparse);
    }
    free(s->recent);
    arena_fini(&s->arena);
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
        return error_set(ERR_MEMORY, "out of memory: signature table");
    memset(dense + t->cap, 0, (cap - t->cap) * sizeof *dense);
    t->dense = dense;
    t->cap = cap;
    return 0;
}

static int note_definition(struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id)
{
    if (s->recent_count == s->recent_cap) {
        size_t cap = s->recent_cap == 0 ? 16 : s->recent_cap * 2;
        struct trace_sig_definition *recent = realloc(s->recent, cap * sizeof *recent);
        if (recent == NULL)
            return error_set(ERR_MEMORY, "out of memory: signature table");
        s->recent = recent;
        s->recent_cap = cap;
    }
    s->recent[s->recent_count++] = (struct trace_sig_definition){kind, id};
    return 0;
}

int trace_signatures_define(struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id, void *sig)
{
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
    for (size_t i = 0; i < s->recent_count; ++i) {
        struct trace_sig_table *t = &s->tables[s->recent[i].kind];
        uint32_t id = s->recent[i].id;
        if (id < t->cap)
            t->dense[id] = NULL;
        else
            int_map_remove(&t->sparse, id);
    }
    s->recent_count = 0;
}
