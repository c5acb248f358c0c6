/* SPDX-License-Identifier: MIT
 * Aligns two long sequences: finds a short edit script between them in near-linear time. Elements are 64-bit
 * hashes.
 */
#ifndef CLI_DIFF_ALIGN_H
#define CLI_DIFF_ALIGN_H

#include "trace/progress_callback.h"

#include <stddef.h>
#include <stdint.h>

/* A difference: a_count elements of the first sequence, from index a, are replaced by b_count elements of the
 * second, from index b. One of the counts may be 0. Outside of hunks the sequences are equal. */
struct diff_hunk {
    size_t a;
    size_t a_count;
    size_t b;
    size_t b_count;
};

/* Zero-initialise it before use. Hunks ascend and do not touch each other. */
struct diff_script {
    struct diff_hunk *hunks;
    size_t count;
    size_t cap;
};

void diff_script_fini(struct diff_script *s);

/* Appends a hunk. If it begins where the last one ends, it is merged into that. Returns 0 or
 * TRACE_ERR_MEMORY. */
int diff_script_add(struct diff_script *s, const struct diff_hunk *hunk);

/* Limits for the work of an alignment. If it reaches them, it accepts a script that is not the shortest. */
struct diff_effort {
    size_t exact_size; /* sequences with at most this total length are aligned exactly at once */
    size_t min_cost;   /* number of edits that one search may explore: at least this many, */
    size_t max_cost;   /* at most this many, */
    size_t steps;      /* and in between as many as this total number of steps of all searches permits */
};

extern const struct diff_effort diff_default_effort;

/* Appends the edit script from a to b. It is a shortest one if it has at most effort->min_cost edits and the
 * sequences have at most exact_size elements. Memory: at most 80 bytes per element. w is told how many
 * elements of both sequences are done. Returns 0 or TRACE_ERR_MEMORY. */
int diff_align(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
               const struct diff_effort *effort, struct trace_progress_callback w, struct diff_script *out);

#endif
