/* SPDX-License-Identifier: MIT
 * A trace of many independent chunks, any of which can be damaged.
 */
#ifndef SAMPLE_PARTS_H
#define SAMPLE_PARTS_H

#include "trace_samples.h"

#define SAMPLE_PARTS_CALLS  6000
#define SAMPLE_PARTS_CHANGE 650 /* calls after which other signatures are used */
#define SAMPLE_PARTS_MAX    64

struct sample_batches {
    struct buf file;
    size_t at[SAMPLE_PARTS_MAX + 1]; /* where chunk i begins in the file, its length field included */
    unsigned count;
};

/* Every fourth call overlaps with the next. Call i is glFunction<i / SAMPLE_PARTS_CHANGE>(i, …) in thread i %
 * 2; its second argument is of a type that depends on i % 7, and so on. */
void sample_parts_write(struct sample_batches *p);

/* Makes the chunk undecompressible. */
void sample_parts_damage(struct sample_batches *p, unsigned chunk);

#endif
