/* SPDX-License-Identifier: MIT
 * Finds what two sequences of hashes have in common, in linear time: elements that occur in both, and
 * elements that occur exactly once in each.
 */
#ifndef CLI_DIFF_ANCHORS_H
#define CLI_DIFF_ANCHORS_H

#include <stddef.h>
#include <stdint.h>

/* The elements of a sequence that also occur in the other one, with their indices. */
struct diff_subsequence {
    uint64_t *elements;
    size_t *places;
    size_t count;
};

struct diff_common {
    struct diff_subsequence a;
    struct diff_subsequence b;
};

/* Finds the common elements. On success the caller frees *out with diff_common_fini(). Returns 0 or
 * TRACE_ERR_MEMORY. */
int diff_find_common(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
                     struct diff_common *out);
void diff_common_fini(struct diff_common *c);

struct diff_pair {
    size_t a;
    size_t b;
};

/* Pairs of corresponding elements. Both indices ascend. */
struct diff_anchors {
    struct diff_pair *pairs;
    size_t count;
};

/* Finds the elements that occur once in a and once in b, and keeps as many as possible that are in the same
 * order in both. Finds none in sequences of 2^32 elements or more. On success the caller frees *out with
 * diff_anchors_fini(). Returns 0 or TRACE_ERR_MEMORY. */
int diff_find_anchors(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
                      struct diff_anchors *out);
void diff_anchors_fini(struct diff_anchors *c);

#endif
