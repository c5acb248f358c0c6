/* SPDX-License-Identifier: MIT
 * Cuts a stream into blocks, compresses them in threads, and passes them on in order. The number of blocks in
 * progress is limited, and their memory is reused.
 */
#ifndef TRACE_BLOCK_PIPELINE_H
#define TRACE_BLOCK_PIPELINE_H

#include "formats/apitrace/container/codec.h"

struct block_pipeline;

/* Receives compressed blocks, one at a time and in order, from any thread. The block is lent until the
 * function returns. */
typedef int (*block_sink)(void *context, const struct trace_block *block);

/* jobs: number of compressing threads (at most TRACE_OUTPUT_MAX_JOBS), or 0 if the calling thread compresses.
 * After the codec's first blocks, a thread is started whenever a block is full and all other threads are
 * busy. The caller owns *out. Errors: TRACE_ERR_USAGE (the codec does not have this level), TRACE_ERR_MEMORY.
 */
int block_pipeline_new(struct block_pipeline **out, const struct trace_block_codec *codec, int level,
                       unsigned jobs, block_sink sink, void *context);

/* Appends bytes. Returns the first error of any thread. After an error, blocks are dropped. */
int block_pipeline_write(struct block_pipeline *p, const uint8_t *bytes, size_t count);

/* Appends the bytes of *bytes, and clears it; or only those that fill a block, and keeps the rest. Does not
 * copy them if possible: *bytes gets other memory then. */
int block_pipeline_take(struct block_pipeline *p, struct buf *bytes);

/* Appends the bytes of a chunk, without copying them if possible. Takes over a reference to the chunk, even
 * if it fails. */
int block_pipeline_write_chunk(struct block_pipeline *p, struct trace_chunk *chunk);

/* Ends the current block, unless it is empty, and waits until the sink has received all blocks. */
int block_pipeline_flush(struct block_pipeline *p);

/* Passes on an empty block. Nothing may have been written before. */
int block_pipeline_flush_empty(struct block_pipeline *p);

/* Stops the threads and frees p. What was not flushed is lost. p may be NULL. */
void block_pipeline_free(struct block_pipeline *p);

#endif
