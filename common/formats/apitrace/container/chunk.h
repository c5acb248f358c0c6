/* SPDX-License-Identifier: MIT
 * A reference-counted piece of the decompressed stream.
 * In front of the data there is room for the beginning of an event that the chunk before it left unfinished.
 */
#ifndef TRACE_CHUNK_H
#define TRACE_CHUNK_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>

/* An event seldom is longer; those that are get a buffer of their own (stream.c). */
#define TRACE_CHUNK_HEADROOM ((size_t)1 << 16)

struct trace_chunk_pool;
struct trace_block_codec;

struct trace_chunk {
    struct trace_chunk_pool *pool;
    struct trace_chunk *next_free;
    atomic_uint refs;
    uint64_t number;      /* in the file, from 0 */
    uint64_t file_offset; /* of its compressed bytes */
    uint64_t length;      /* of them; where it can be decompressed by itself */

    /* If they were asked for (trace_input_note_chunks()), as in struct trace_chunk_entry. */
    uint64_t checksum;
    uint32_t content_checksum;

    /* If they were asked for (trace_input_keep_compressed()): its compressed bytes
     * (trace_chunk_compressed()), and who takes them. */
    struct buf compressed;
    const struct trace_block_codec *compressed_for; /* NULL: they are not there */

    size_t read_at_end; /* compressed bytes that are at the end of its memory instead; 0: none */

    uint8_t *memory; /* headroom, then cap bytes */
    uint8_t *data;   /* memory + TRACE_CHUNK_HEADROOM */
    size_t len;
    size_t cap;
};

/* Keeps a few freed chunks for reuse: fresh memory costs as much in page faults as decompression itself.
 * May be used from any thread. Outlives its owner until the last chunk is back. */
int trace_chunk_pool_new(struct trace_chunk_pool **out);
void trace_chunk_pool_free(struct trace_chunk_pool *pool);

/* The first chunk will be full: it gets one large page of memory, if the system has any. Making that costs a
 * fifth of what the page faults of two small buffers do, for there is also room for its compressed bytes. */
void trace_chunk_pool_expect_full(struct trace_chunk_pool *pool);

/* An empty chunk with one reference and room for cap bytes; NULL (message set) when memory is out. */
struct trace_chunk *trace_chunk_new(struct trace_chunk_pool *pool, size_t cap);

/* Grows to room for cap bytes, keeping the contents; the data may move. */
int trace_chunk_reserve(struct trace_chunk *c, size_t cap);

static inline struct trace_chunk *trace_chunk_ref(struct trace_chunk *c)
{
    atomic_fetch_add_explicit(&c->refs, 1, memory_order_relaxed);
    return c;
}

static inline const uint8_t *trace_chunk_compressed(const struct trace_chunk *c, size_t *size)
{
    *size = c->read_at_end > 0 ? c->read_at_end : c->compressed.len;
    return c->read_at_end > 0 ? c->data + c->cap - c->read_at_end : c->compressed.data;
}

/* No reference is left: the slow half of trace_chunk_unref(). */
void trace_chunk_give_back(struct trace_chunk *c);

/* NULL, which most calls have, is allowed. */
static inline void trace_chunk_unref(struct trace_chunk *c)
{
    if (c != NULL && atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) == 1)
        trace_chunk_give_back(c);
}

#endif
