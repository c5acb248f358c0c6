/* SPDX-License-Identifier: MIT
 * Reading calls in several threads: a reader cuts the stream into batches, and clones of it, one a thread,
 * read a batch each. What belongs to no batch (calls that overlap for long, or go from one chunk to the next;
 * anything at all behind damage) the reader returns itself, at its place among the batches.
 */
#ifndef TRACE_READER_BATCHES_H
#define TRACE_READER_BATCHES_H

#include "formats/apitrace/read/reader.h"

/* Bytes of the stream: batches are about so long. */
#define TRACE_BATCH_BYTES ((size_t)1 << 16)

/* Whole calls: each that is entered in it is left in it. */
struct trace_batch {
    struct trace_chunk *chunk; /* that holds it, with a reference; NULL: there is no batch here */
    const uint8_t *start;
    const uint8_t *end;
    uint64_t offset;      /* of its start in the stream */
    uint64_t next_number; /* as the reader's, at its start; likewise below */
    uint64_t frames;
    size_t definitions;
};

/* As trace_reader_next_call(), but what comes next may be a batch (*call is NULL then). At the end of the
 * trace, both are NULL. Of times, wanted calls and places gone to, batches know nothing: a reader that was
 * asked for any of these cuts none. */
int trace_reader_next_batch(struct trace_reader *r, struct trace_batch *batch,
                            const struct trace_call **call);

/* Passes over calls that trace_reader_next_call() would return next, at most max of them, without decoding
 * any value. Returns how many; where it is 0 and max is not, the next call has to be read. */
uint64_t trace_reader_pass_calls(struct trace_reader *r, uint64_t max);

/* A reader without a file of its own, whose calls are those of the batches it gets. Calls and their
 * signatures are valid until both it and r are closed; it first. The caller owns *out (trace_reader_close).
 */
int trace_reader_clone(struct trace_reader **out, const struct trace_reader *r);

/* trace_reader_next_call(clone, …) returns the calls of the batch, then NULL; all of the batch before must
 * have been read. Takes over the batch's reference to the chunk, also when it fails. Must follow
 * trace_reader_next_batch() before anything else is done with r; later, the clone does not touch r. */
int trace_reader_begin_batch(struct trace_reader *clone, const struct trace_reader *r,
                             struct trace_batch *batch);

#endif
