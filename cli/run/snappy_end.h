/* SPDX-License-Identifier: MIT
 * Finds the end of the last whole chunk of a trace in Snappy chunks while its bytes go by. A trace that is
 * cut there can be read by every reader.
 */
#ifndef CLI_SNAPPY_END_H
#define CLI_SNAPPY_END_H

#include <stddef.h>
#include <stdint.h>

/* All zeros at the start of the file. */
struct snappy_end {
    uint64_t size;   /* of the file so far */
    uint64_t whole;  /* where the last whole chunk ends */
    uint64_t left;   /* bytes of the present chunk that have not come */
    uint8_t head[4]; /* of the file, and then of chunks */
    unsigned head_size;
    unsigned is_other; /* the file is in another container */
};

void snappy_end_follow(struct snappy_end *s, const uint8_t *bytes, size_t size);

/* Removes what is behind the last whole chunk from the file, if it is in Snappy chunks. */
void snappy_end_cut(const struct snappy_end *s, int file);

#endif
