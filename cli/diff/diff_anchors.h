/* SPDX-License-Identifier: MIT
 * What two sequences of hashes have in common, by hash tables: elements that occur in both, and pairs of
 * elements that occur only once in each. Time grows with the length alone.
 */
#ifndef CLI_DIFF_ANCHORS_H
#define CLI_DIFF_ANCHORS_H

#include <stddef.h>
#include <stdint.h>

/* The elements of a sequence that also occur in the other one, and where they were. */
struct diff_subsequence {
    uint64_t *elements;
    size_t *places;
    size_t count;
};

struct diff_common {
    struct diff_subsequence a;
    struct diff_subsequence b;
};

/* On success the caller owns *out (diff_common_fini). TRACE_ERR_MEMORY. */
int diff_find_common(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
                     struct diff_common *out);
void diff_common_fini(struct diff_common *c);

struct diff_pair {
    size_t a;
    size_t b;
};

/* Pairs that ascend in both. */
struct diff_anchors {
    struct diff_pair *pairs;
    size_t count;
};

/* Of the elements that occur once in a and once in b, as many as possible that are in the same order in both.
 * None of sequences with 2^32 elements or more. On success the caller owns *out. TRACE_ERR_MEMORY. */
int diff_find_anchors(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
                      struct diff_anchors *out);
void diff_anchors_fini(struct diff_anchors *c);

#endif
