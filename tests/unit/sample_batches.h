/* SPDX-License-Identifier: MIT
 * A trace with many independent chunks, each of which can be damaged.
 */
#ifndef SAMPLE_PARTS_H
#define SAMPLE_PARTS_H

#include "trace_samples.h"

#define SAMPLE_PARTS_CALLS  6000
#define SAMPLE_PARTS_CHANGE 650 /* number of calls after which other signatures are used */
#define SAMPLE_PARTS_MAX    64

struct sample_batches {
    struct buf file;
    size_t at[SAMPLE_PARTS_MAX + 1]; /* file offset of chunk i, with its length field */
    unsigned count;
};

/* Every fourth call overlaps with the next one. Call i is glFunction<i / SAMPLE_PARTS_CHANGE>(i, …) in thread
 * i % 2. The type of its second argument depends on i % 7, and so on. */
void sample_parts_write(struct sample_batches *p);

/* Makes it impossible to decompress the chunk. */
void sample_parts_damage(struct sample_batches *p, unsigned chunk);

#endif
