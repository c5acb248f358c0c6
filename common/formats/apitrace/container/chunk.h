/* SPDX-License-Identifier: MIT
 * A reference-counted piece of the decompressed stream. There is headroom in front of the data, for the
 * beginning of an event that is incomplete in the chunk before.
 */
#ifndef TRACE_CHUNK_H
#define TRACE_CHUNK_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>

/* The size of the headroom in bytes. Few events are longer; those are put together in a buffer of their own
 * (stream.c), which takes a copy of the whole chunk. Pages of it that no event needs take no memory. */
#define TRACE_CHUNK_HEADROOM ((size_t)1 << 18)

struct trace_chunk_pool;
struct trace_block_codec;

struct trace_chunk {
    struct trace_chunk_pool *pool;
    struct trace_chunk *next_free;
    atomic_uint refs;
    uint64_t number;      /* position of the chunk in the file, from 0 */
    uint64_t file_offset; /* file offset of its compressed bytes */
    uint64_t length;      /* number of its compressed bytes, if it can be decompressed independently */

    /* Only set after trace_input_note_chunks(); the same as in struct trace_chunk_entry. */
    uint64_t checksum;
    uint32_t content_checksum;

    /* Only set after trace_input_keep_compressed(): the compressed bytes (see trace_chunk_compressed()), and
     * the codec that can adopt them. */
    struct buf compressed;
    const struct trace_block_codec *compressed_for; /* NULL: the compressed bytes were not kept */

    /* Number of compressed bytes that are stored at the end of `memory` instead; 0: none. */
    size_t read_at_end;

    uint8_t *memory; /* the headroom, then cap bytes */
    uint8_t *data;   /* memory + TRACE_CHUNK_HEADROOM */
    size_t len;
    size_t cap;
};

/* A pool that keeps a few freed chunks for reuse, because the page faults of new memory cost as much as
 * decompression. Its functions may be called from any thread. The pool lives until its owner has released it
 * and the last chunk was returned. */
int trace_chunk_pool_new(struct trace_chunk_pool **out);
void trace_chunk_pool_free(struct trace_chunk_pool *pool);

/* Announces that the first chunk will be full. It then gets one huge page if the system has any; the huge
 * page has room for the compressed bytes as well. This costs a fifth of the page faults of two small buffers.
 */
void trace_chunk_pool_expect_full(struct trace_chunk_pool *pool);

/* Returns the number of chunks that are in use. */
size_t trace_chunk_pool_live(struct trace_chunk_pool *pool);

/* Returns an empty chunk with one reference and room for cap bytes, or NULL (with the message set) if there
 * is no memory. */
struct trace_chunk *trace_chunk_new(struct trace_chunk_pool *pool, size_t cap);

/* Grows the chunk to room for cap bytes. The contents are kept; the data may move. */
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

/* The slow path of trace_chunk_unref(): the last reference was dropped. */
void trace_chunk_give_back(struct trace_chunk *c);

/* Drops a reference. c may be NULL, as it is for most calls. */
static inline void trace_chunk_unref(struct trace_chunk *c)
{
    if (c != NULL && atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) == 1)
        trace_chunk_give_back(c);
}

#endif
