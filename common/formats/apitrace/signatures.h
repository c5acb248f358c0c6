/* SPDX-License-Identifier: MIT
 * The signatures that a stream has defined so far, by id.
 * All memory is the table's own and lives until trace_signatures_fini().
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

/* Ids are small numbers in practice: an array holds those below TRACE_SIG_DENSE, a hash map any other. */
#define TRACE_SIG_DENSE 65536u

struct trace_sig_table {
    void **dense; /* NULL where nothing is defined */
    uint32_t cap;
    struct int_map sparse; /* id to pointer */
};

struct trace_sig_definition {
    enum trace_sig_kind kind;
    uint32_t id;
};

struct trace_signatures {
    struct trace_sig_table tables[TRACE_SIG_KINDS];
    struct arena arena;
    struct trace_sig_definition *defined; /* in order; */
    size_t defined_count;
    size_t defined_cap;
    size_t committed; /* those before this one are kept */
    size_t learned;   /* trace_signatures_learn(): definitions seen of the other table */

    /* Those that were defined before reading went back, by kind and id: where they are defined again, they
     * stay who they are. */
    struct int_map hidden;
    uint32_t times_hidden; /* what was known of ids before is void since then */
    struct arena scratch;  /* in place of the other one meanwhile */
};

void trace_signatures_init(struct trace_signatures *s);
void trace_signatures_fini(struct trace_signatures *s);

void *trace_signatures_find_sparse(const struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id);

/* NULL if id is not defined. */
static inline void *trace_signatures_find(const struct trace_signatures *s, enum trace_sig_kind kind,
                                          uint32_t id)
{
    const struct trace_sig_table *t = &s->tables[kind];
    return id < t->cap ? t->dense[id] : trace_signatures_find_sparse(s, kind, id);
}

/* No id is defined any more. What was defined stays valid and, if keep, comes back where it is defined again.
 */
int trace_signatures_hide(struct trace_signatures *s, bool keep);

/* Around a definition: memory for it is taken from the arena in between. The known signature of this id that
 * is hidden, or NULL; then the new one is forgotten again. */
void *trace_signatures_begin(struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id);
void trace_signatures_end(struct trace_signatures *s, const void *known);

/* Defines id, as sig, which comes from the arena, or as the hidden one. */
int trace_signatures_define(struct trace_signatures *s, enum trace_sig_kind kind, uint32_t id, void *sig);

/* Keeps what was defined since the last commit, or forgets it: an event that turns out to be unfinished is
 * parsed again from its start, bodies included. */
static inline void trace_signatures_commit(struct trace_signatures *s)
{
    s->committed = s->defined_count;
}
void trace_signatures_rollback(struct trace_signatures *s);

/* Takes over what `from` has defined up to its definition number `until`, except ids that are known here. The
 * signatures remain from's. Always of the same table, with numbers that do not decrease. */
int trace_signatures_learn(struct trace_signatures *s, const struct trace_signatures *from, size_t until);

#endif
