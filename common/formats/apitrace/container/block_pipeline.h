/* SPDX-License-Identifier: MIT
 * Cuts a stream into blocks, has threads compress them, and hands them on in order.
 * A bounded number of blocks is under way; their memory is used again.
 */
#ifndef TRACE_BLOCK_PIPELINE_H
#define TRACE_BLOCK_PIPELINE_H

#include "formats/apitrace/container/codec.h"

struct block_pipeline;

/* Takes compressed blocks, one at a time, in order, in whatever thread; block is lent for the call. */
typedef int (*block_sink)(void *context, const struct trace_block *block);

/* jobs: threads (at most TRACE_OUTPUT_MAX_JOBS), or 0: the caller compresses. After the codec's first blocks
 * a thread starts whenever a whole block finds all others busy. TRACE_ERR_USAGE if the codec has no such
 * level. The caller owns *out. */
int block_pipeline_new(struct block_pipeline **out, const struct trace_block_codec *codec, int level,
                       unsigned jobs, block_sink sink, void *context);

/* Appends bytes. Returns the first error of any thread; after one, blocks are dropped. */
int block_pipeline_write(struct block_pipeline *p, const uint8_t *bytes, size_t count);

/* Appends the bytes of chunk, if possible without copying them; takes over a reference, also when it fails.
 */
int block_pipeline_write_chunk(struct block_pipeline *p, struct trace_chunk *chunk);

/* Ends the current block, unless it is empty, and waits until the sink has taken all. */
int block_pipeline_flush(struct block_pipeline *p);

/* Hands on an empty block. Nothing has been written before. */
int block_pipeline_flush_empty(struct block_pipeline *p);

/* Stops the threads and frees p; what was not flushed is lost. NULL is allowed. */
void block_pipeline_free(struct block_pipeline *p);

#endif
