/* SPDX-License-Identifier: MIT
 * Which elements of two long sequences correspond: a short edit script between them, in near-linear time.
 * Elements are 64-bit hashes; nothing here knows what they stand for.
 */
#ifndef CLI_DIFF_ALIGN_H
#define CLI_DIFF_ALIGN_H

#include "trace/progress_callback.h"

#include <stddef.h>
#include <stdint.h>

/* Elements a .. a + a_count of the first sequence are replaced by b .. b + b_count of the second; one of the
 * counts may be 0. Between hunks, and before the first and after the last, the sequences are equal. */
struct diff_hunk {
    size_t a;
    size_t a_count;
    size_t b;
    size_t b_count;
};

/* Zero-initialise before use. Hunks ascend, and do not touch each other. */
struct diff_script {
    struct diff_hunk *hunks;
    size_t count;
    size_t cap;
};

void diff_script_fini(struct diff_script *s);

/* Appends a hunk; one that begins where the last one ends is merged into it. 0 or TRACE_ERR_MEMORY. */
int diff_script_add(struct diff_script *s, const struct diff_hunk *hunk);

/* How much work an alignment may take before it settles for a script that is not the shortest. */
struct diff_effort {
    size_t exact_size; /* sequences of up to this length together go to the exact algorithm at once */
    size_t min_cost;   /* edits that one search looks ahead: at least, and */
    size_t max_cost;   /* at most */
    size_t steps;      /* about how many steps all searches may take; between the two, this decides */
};

extern const struct diff_effort diff_default_effort;

/* Appends the edit script from a to b. It is a shortest one if it has at most effort->min_cost edits and the
 * sequences at most exact_size elements. Memory: at most 80 bytes an element. w sees how many elements of
 * both are done. TRACE_ERR_MEMORY. */
int diff_align(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
               const struct diff_effort *effort, struct trace_progress_callback w, struct diff_script *out);

#endif
