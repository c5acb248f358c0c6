/* SPDX-License-Identifier: MIT
 * Reads calls in several threads. A reader cuts the stream into batches. Each thread has a clone of the
 * reader, which reads one batch at a time. The reader itself returns the calls that are in no batch, in order
 * between the batches: calls that overlap for long or cross the end of a chunk, and everything after damage.
 */
#ifndef TRACE_READER_BATCHES_H
#define TRACE_READER_BATCHES_H

#include "formats/apitrace/read/reader.h"

/* The approximate size of a batch in bytes of the stream. */
#define TRACE_BATCH_BYTES ((size_t)1 << 16)

/* A part of the stream that consists of whole calls: each call that is entered in it also returns in it. */
struct trace_batch {
    struct trace_chunk *chunk; /* the chunk that contains it, with a reference; NULL: no batch */
    const uint8_t *start;
    const uint8_t *end;
    uint64_t offset;      /* stream offset of its start */
    uint64_t next_number; /* state of the reader at its start; likewise below */
    uint64_t frames;
    size_t definitions;
};

/* Does the same as trace_reader_next_call(), but may return a batch instead; then *call is NULL. At the end
 * of the trace, there is neither. A reader returns no batches after a seek, or if times or only some calls
 * are wanted. */
int trace_reader_next_batch(struct trace_reader *r, struct trace_batch *batch,
                            const struct trace_call **call);

/* Skips calls that trace_reader_next_call() would return next, at most max of them, without decoding any
 * values. Returns how many were skipped. If that is 0 although max is not, read the next call instead. */
uint64_t trace_reader_pass_calls(struct trace_reader *r, uint64_t max);

/* Creates a reader without a file, which reads batches of r. The caller owns *out and closes it with
 * trace_reader_close(), before r. Calls and their signatures stay valid until both are closed. */
int trace_reader_clone(struct trace_reader **out, const struct trace_reader *r);

/* Makes trace_reader_next_call(clone, …) return the calls of the batch, then NULL. The batch before must have
 * been read completely. Takes over the batch's reference to the chunk, even if it fails. Must be called
 * directly after trace_reader_next_batch(), before any other call on r; later, the clone does not access r.
 */
int trace_reader_begin_batch(struct trace_reader *clone, const struct trace_reader *r,
                             struct trace_batch *batch);

#endif
