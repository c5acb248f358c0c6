/* SPDX-License-Identifier: MIT
 * The signatures that a stream has defined so far, by id. The table owns all their memory until
 * trace_signatures_fini().
 */
#ifndef TRACE_SIGNATURES_H
#define TRACE_SIGNATURES_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "trace/model.h"

enum trace_sig_kind {
    TRACE_SIG_FUNCTION,
    TRACE_SIG_ENUM,
    TRACE_SIG_BITMASK,
    TRACE_SIG_STRUCT,
    TRACE_SIG_FRAME,
    TRACE_SIG_KINDS,
};

/* Ids are small in practice: ids below TRACE_SIG_DENSE are in an array, others in a hash map. */
#define TRACE_SIG_DENSE 65536u

struct trace_sig_table {
    void **dense; /* NULL: not defined */
    uint32_t cap;
    struct int_map sparse; /* maps ids to pointers */
};

struct trace_sig_definition {
    enum trace_sig_kind kind;
    uint32_t id;
};

struct trace_signatures {
    struct trace_sig_table tables[TRACE_SIG_KINDS];
    struct arena arena;
    struct trace_sig_definition *defined; /* in the order of definition */
    size_t defined_count;
    size_t defined_cap;
    size_t committed; /* number of definitions that are committed */
    size_t learned; /* number of definitions of the other table that trace_signatures_learn() has processed */

    /* Signatures that were defined before reading went back, by kind and id. When they are defined again,
     * they keep their addresses. */
    struct int_map hidden;
    uint32_t times_hidden; /* counts how often ids became unknown; cached knowledge about ids is void if it
                              changes */
    struct arena scratch;  /* memory for a new definition that a hidden one replaces */
};

void trace_signatures_init(struct trace_signatures *s);
void trace_signatures_fini(struct trace_signatures *s);

void *trace_signatures_find_sparse(const struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id);

/* Returns NULL if id is not defined. */
static inline void *trace_signatures_find(const struct trace_signatures *s, enum trace_sig_kind kind,
                                          uint32_t id)
{
    const struct trace_sig_table *t = &s->tables[kind];
    return id < t->cap ? t->dense[id] : trace_signatures_find_sparse(s, kind, id);
}

/* Makes all ids undefined. Signatures stay valid, and if keep is set, they are reused when they are defined
 * again. */
int trace_signatures_hide(struct trace_signatures *s, bool keep);

/* Begin and end a definition; in between, memory for it is allocated from the arena. Returns the hidden
 * signature with this id, or NULL. If there is one, the new one will be discarded. */
void *trace_signatures_begin(struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id);
void trace_signatures_end(struct trace_signatures *s, const void *known);

/* Defines id as sig, which must be in the arena, or as the hidden signature. */
int trace_signatures_define(struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id, void *sig);

/* Commit or discard the definitions since the last commit. An incomplete event is parsed again from its
 * start, including its definitions. */
static inline void trace_signatures_commit(struct trace_signatures *s)
{
    s->committed = s->defined_count;
}
void trace_signatures_rollback(struct trace_signatures *s);

/* Adds the definitions of `from` up to its definition number `until`, except ids that are known already. The
 * signatures are owned by `from`, which must always be the same table; `until` must not decrease. */
int trace_signatures_learn(struct trace_signatures *s, const struct trace_signatures *from, size_t until);

#endif
