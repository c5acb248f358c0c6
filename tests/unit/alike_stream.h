/* SPDX-License-Identifier: MIT
 * A stream of calls of which most look like one before.
 */
#ifndef TESTS_ALIKE_STREAM_H
#define TESTS_ALIKE_STREAM_H

#include "base/buf.h"
#include "trace/model.h"
#include "trace_samples.h"

enum { ALIKE_CALLS = 400, ALIKE_FUNCTIONS = 7 };

extern const struct trace_function_sig alike_functions[ALIKE_FUNCTIONS];

/* Appends the stream: another one each time. Every third call is glVertex3f; a few overlap with the next one.
 */
void alike_stream_make(struct buf *out);

/* The next of the random numbers that it is made of. */
uint32_t alike_random(void);

/* Changes one byte, or a few next to each other. */
void alike_stream_mutate(struct buf *stream);

/* Puts so many of these streams, mutated or as they are, one after the other into a file for `check`. Returns
 * the sum of what that returns. */
uint64_t alike_stream_check(unsigned count, bool mutated, uint64_t (*check)(const struct sample_file *file));

#endif
