/* SPDX-License-Identifier: MIT
 * A stream of calls, most of which have the same shape as an earlier one.
 */
#ifndef TESTS_ALIKE_STREAM_H
#define TESTS_ALIKE_STREAM_H

#include "base/buf.h"
#include "trace/model.h"
#include "trace_samples.h"

enum { ALIKE_CALLS = 400, ALIKE_FUNCTIONS = 7 };

extern const struct trace_function_sig alike_functions[ALIKE_FUNCTIONS];

/* Appends a stream, a different one each time. Every third call is glVertex3f. A few calls overlap with the
 * next one. */
void alike_stream_make(struct buf *out);

/* Returns the next random number of those from which the streams are made. */
uint32_t alike_random(void);

/* Changes one byte, or a few adjacent ones. */
void alike_stream_mutate(struct buf *stream);

/* Writes `count` of these streams, mutated or not, to a file, one after the other, and calls `check` for
 * each. Returns the sum of its results. */
uint64_t alike_stream_check(unsigned count, bool mutated, uint64_t (*check)(const struct sample_file *file));

#endif
