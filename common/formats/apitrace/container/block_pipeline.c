/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/block_pipeline.h"

#include "base/error.h"
#include "base/worker_thread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* In addition to one slot per thread: the slot that the caller fills, and one that waits. */
#define SPARE_SLOTS 2

/* A block in progress. Its memory is allocated when it is first used. */
struct slot {
    struct slot *next_free;
    uint8_t *bytes; /* cap bytes, at least block_size */
    size_t cap;
    struct trace_chunk *lent; /* the chunk that contains the block's bytes instead, or NULL */
    struct trace_block block;
    bool compressed;
};

struct worker {
    struct block_pipeline *pipeline;
    pthread_t thread;
    void *compressor;
};

struct block_pipeline {
    const struct trace_block_codec *codec;
    int level;
    unsigned jobs;
    block_sink sink;
    void *context;
    size_t fill; /* number of bytes in the slot `filling` */
    /* Number of whole blocks that the caller will still compress before threads are started. */
    uint64_t alone;

    pthread_mutex_t lock; /* protects all members below once there are workers */
    pthread_cond_t work;  /* a block was submitted, or the workers must stop */
    pthread_cond_t room;  /* a block was passed on */
    bool stopping;
    bool handing_on;    /* a worker is passing on blocks */
    uint64_t submitted; /* number of blocks submitted */
    uint64_t claimed;   /* number of blocks taken by a worker */
    uint64_t handed_on; /* number of blocks passed to the sink. Block i is in slot queue[i % slot_count]. */
    struct trace_kept_error error; /* the first error */
    unsigned idle;                 /* number of workers that wait for work */
    unsigned worker_count;
    struct worker *workers; /* jobs entries, or one for the caller if jobs is 0 */
    unsigned slot_count;
    struct slot **queue;
    struct slot *free;    /* a stack, so that as little memory as possible is touched */
    struct slot *filling; /* the caller's slot; NULL: it needs one */
    struct slot slots[];
};

static void note_failure(struct block_pipeline *p, int rc)
{
    if (rc == 0 || p->error.code != 0)
        return;
    trace_error_keep(&p->error, rc);
}

static int report(const struct block_pipeline *p)
{
    return p->error.code == 0 ? 0 : trace_error_restore(&p->error);
}

static struct slot *slot_of(struct block_pipeline *p, uint64_t block)
{
    return p->queue[block % p->slot_count];
}

/* --- one block ------------------------------------------------------------------------------------- */

/* Returns true if the compressed bytes of the chunk may be used as a block. Small chunks are joined instead.
 */
static bool is_adoptable(const struct block_pipeline *p, const struct trace_chunk *chunk)
{
    size_t count;
    trace_chunk_compressed(chunk, &count);
    return p->codec->adopt != NULL && chunk->compressed_for == p->codec &&
           count <= p->codec->compressed_max() - p->codec->header_size &&
           chunk->len <= p->codec->block_size && chunk->len >= p->codec->block_size / 2;
}

/* chunk: contains the block's bytes; may be NULL. */
static int compress(struct block_pipeline *p, struct worker *w, struct trace_block *block,
                    const struct trace_chunk *chunk)
{
    if (w->compressor == NULL) {
        int rc = p->codec->open(&w->compressor, p->level);
        if (rc != 0)
            return rc;
    }
    if (block->compressed == NULL && (block->compressed = malloc(p->codec->compressed_max())) == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    const size_t header = p->codec->header_size;
    int rc = 0;
    size_t count;
    const uint8_t *compressed = chunk != NULL ? trace_chunk_compressed(chunk, &count) : NULL;
    block->adopted = NULL;
    if (chunk != NULL && is_adoptable(p, chunk))
        p->codec->adopt(block, compressed, count);
    else
        rc = p->codec->compress(w->compressor, block);
    if (rc == 0)
        block->checksum = XXH64(block->adopted != NULL ? block->adopted : block->compressed + header,
                                block->length - header, 0);
    return rc;
}

/* Compresses in the calling thread, as long as there are no workers. */
static int compress_here(struct block_pipeline *p, const uint8_t *bytes, size_t size,
                         const struct trace_chunk *chunk)
{
    struct trace_block *block = &p->slots[0].block; /* the bytes may be in this slot or elsewhere */
    block->bytes = bytes;
    block->size = size;
    int rc = p->error.code == 0 ? compress(p, &p->workers[0], block, chunk) : p->error.code;
    if (rc == 0)
        rc = p->sink(p->context, block);
    note_failure(p, rc);
    return report(p);
}

/* --- the threads ----------------------------------------------------------------------------------- */

/* Passes the compressed blocks to the sink, in order. The lock must be held; it is released meanwhile. */
static void hand_on(struct block_pipeline *p)
{
    while (!p->handing_on && p->handed_on < p->claimed && slot_of(p, p->handed_on)->compressed) {
        struct slot *slot = slot_of(p, p->handed_on);
        int rc = 0;
        p->handing_on = true;
        if (p->error.code == 0) {
            pthread_mutex_unlock(&p->lock);
            rc = p->sink(p->context, &slot->block);
            pthread_mutex_lock(&p->lock);
        }
        note_failure(p, rc);
        slot->compressed = false;
        trace_chunk_unref(slot->lent);
        slot->lent = NULL;
        slot->next_free = p->free;
        p->free = slot;
        p->handing_on = false;
        p->handed_on++;
        pthread_cond_signal(&p->room);
    }
}

static void *run_worker(void *argument)
{
    struct worker *w = argument;
    struct block_pipeline *p = w->pipeline;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        p->idle++;
        while (p->claimed == p->submitted && !p->stopping)
            pthread_cond_wait(&p->work, &p->lock);
        p->idle--;
        if (p->claimed == p->submitted)
            break;
        struct slot *slot = slot_of(p, p->claimed++);
        int rc = 0;
        if (p->error.code == 0) {
            pthread_mutex_unlock(&p->lock);
            rc = compress(p, w, &slot->block, slot->lent);
            pthread_mutex_lock(&p->lock);
        }
        note_failure(p, rc);
        slot->compressed = true;
        hand_on(p);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Starts another thread if all are busy. Failure is not an error. The lock must be held. */
static void add_worker(struct block_pipeline *p)
{
    if (p->alone > 0) {
        p->alone--;
        return;
    }
    if (p->idle > p->submitted - p->claimed || p->worker_count >= p->jobs)
        return;
    struct worker *w = &p->workers[p->worker_count];
    if (worker_thread_start(&w->thread, run_worker, w) == 0)
        p->worker_count++;
}

/* Waits until no block is in progress. */
static int wait_for_all(struct block_pipeline *p)
{
    pthread_mutex_lock(&p->lock);
    while (p->submitted > p->handed_on)
        pthread_cond_wait(&p->room, &p->lock);
    int rc = report(p);
    pthread_mutex_unlock(&p->lock);
    return rc;
}

/* Takes a slot for the next block. Waits until there is one. */
static int take_slot(struct block_pipeline *p, bool with_memory)
{
    pthread_mutex_lock(&p->lock);
    while (p->filling == NULL && p->free == NULL)
        pthread_cond_wait(&p->room, &p->lock);
    if (p->filling == NULL) {
        p->filling = p->free;
        p->free = p->filling->next_free;
    }
    struct slot *slot = p->filling;
    if (with_memory && slot->bytes == NULL) {
        slot->cap = p->codec->block_size;
        slot->bytes = malloc(slot->cap);
        if (slot->bytes == NULL)
            note_failure(p, trace_error_set(TRACE_ERR_MEMORY, "out of memory"));
    }
    int rc = report(p);
    pthread_mutex_unlock(&p->lock);
    return rc;
}

/* Submits the current block of `size` bytes. They are in the slot's own memory, or in lent, whose reference
 * is taken over. */
static int submit(struct block_pipeline *p, size_t size, struct trace_chunk *lent)
{
    struct slot *slot = p->filling;
    const uint8_t *bytes = lent != NULL ? lent->data : slot->bytes;
    p->fill = 0;
    pthread_mutex_lock(&p->lock);
    if (size == p->codec->block_size)
        add_worker(p);
    if (p->worker_count == 0) {
        pthread_mutex_unlock(&p->lock);
        int rc = compress_here(p, bytes, size, lent);
        trace_chunk_unref(lent);
        return rc;
    }
    slot->block.bytes = bytes;
    slot->block.size = size;
    slot->lent = lent;
    p->filling = NULL;
    p->queue[p->submitted++ % p->slot_count] = slot;
    pthread_cond_signal(&p->work);
    int rc = report(p);
    pthread_mutex_unlock(&p->lock);
    return rc;
}

/* --- the caller's side ----------------------------------------------------------------------------- */

int block_pipeline_new(struct block_pipeline **out, const struct trace_block_codec *codec, int level,
                       unsigned jobs, block_sink sink, void *context)
{
    jobs = jobs < TRACE_OUTPUT_MAX_JOBS ? jobs : TRACE_OUTPUT_MAX_JOBS;
    unsigned slots = jobs == 0 ? 1 : jobs + SPARE_SLOTS;
    unsigned workers = jobs == 0 ? 1 : jobs;
    struct block_pipeline *p = calloc(1, sizeof *p + slots * sizeof p->slots[0]);
    if (p == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->room, NULL);
    p->codec = codec;
    p->level = level;
    p->jobs = jobs;
    p->alone = jobs == 0 ? UINT64_MAX : codec->alone;
    p->sink = sink;
    p->context = context;
    p->slot_count = slots;
    p->workers = calloc(workers, sizeof *p->workers);
    p->queue = calloc(slots, sizeof *p->queue);
    int rc = p->workers == NULL || p->queue == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : 0;
    for (unsigned i = 0; i < workers && rc == 0; ++i)
        p->workers[i].pipeline = p;
    for (unsigned i = slots; i-- > 0;) {
        p->slots[i].next_free = p->free;
        p->free = &p->slots[i];
    }
    if (rc == 0)
        rc = codec->open(&p->workers[0].compressor, level); /* fails at once if there is no such level */
    if (rc != 0) {
        block_pipeline_free(p);
        return rc;
    }
    *out = p;
    return 0;
}

int block_pipeline_write(struct block_pipeline *p, const uint8_t *bytes, size_t count)
{
    const size_t block_size = p->codec->block_size;
    int rc = 0;
    while (count > 0 && rc == 0) {
        if (p->alone > 0 && p->fill == 0 && count >= block_size) {
            p->alone--;
            rc = compress_here(p, bytes, block_size, NULL);
            bytes += block_size;
            count -= block_size;
            continue;
        }
        if (p->fill == 0 && (rc = take_slot(p, true)) != 0)
            break;
        size_t n = count < block_size - p->fill ? count : block_size - p->fill;
        memcpy(p->filling->bytes + p->fill, bytes, n);
        p->fill += n;
        bytes += n;
        count -= n;
        if (p->fill == block_size)
            rc = submit(p, block_size, NULL);
    }
    return rc;
}

/* Makes the memory of *b the block's, and puts what does not belong to the block into the memory that the
 * slot had. */
static int exchange(struct block_pipeline *p, struct buf *b)
{
    const size_t block_size = p->codec->block_size;
    int rc = take_slot(p, false);
    if (rc != 0)
        return rc;
    struct slot *slot = p->filling;
    struct buf rest = {slot->bytes, 0, slot->bytes != NULL ? slot->cap : 0};
    rc = buf_append(&rest, b->data + block_size, b->len - block_size);
    slot->bytes = rest.data;
    slot->cap = rest.cap;
    if (rc != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    slot->bytes = b->data;
    slot->cap = b->cap;
    *b = rest;
    return submit(p, block_size, NULL);
}

int block_pipeline_take(struct block_pipeline *p, struct buf *bytes)
{
    const size_t block_size = p->codec->block_size;
    if (p->alone > 0 || bytes->len < block_size || bytes->len >= 2 * block_size) {
        int rc = block_pipeline_write(p, bytes->data, bytes->len);
        buf_clear(bytes);
        return rc;
    }
    if (p->fill == 0)
        return exchange(p, bytes);
    size_t missing = block_size - p->fill;
    int rc = block_pipeline_write(p, bytes->data, missing);
    buf_consume(bytes, missing);
    return rc;
}

int block_pipeline_write_chunk(struct block_pipeline *p, struct trace_chunk *chunk)
{
    bool adoptable = is_adoptable(p, chunk);
    int rc = adoptable && p->fill > 0 ? submit(p, p->fill, NULL) : 0;
    if (rc == 0 && p->fill == 0 && (adoptable || chunk->len == p->codec->block_size)) {
        if (p->alone == 0 && (rc = take_slot(p, false)) == 0)
            return submit(p, chunk->len, chunk);
        if (p->alone > 0) {
            p->alone--;
            rc = compress_here(p, chunk->data, chunk->len, chunk);
        }
    } else if (rc == 0) {
        rc = block_pipeline_write(p, chunk->data, chunk->len);
    }
    trace_chunk_unref(chunk);
    return rc;
}

int block_pipeline_flush(struct block_pipeline *p)
{
    if (p->fill > 0)
        submit(p, p->fill, NULL);
    return wait_for_all(p);
}

int block_pipeline_flush_empty(struct block_pipeline *p)
{
    return compress_here(p, (const uint8_t *)"", 0, NULL);
}

void block_pipeline_free(struct block_pipeline *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->stopping = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->worker_count; ++i)
        pthread_join(p->workers[i].thread, NULL);
    for (unsigned i = 0; p->workers != NULL && i < (p->jobs > 0 ? p->jobs : 1); ++i)
        if (p->workers[i].compressor != NULL)
            p->codec->close(p->workers[i].compressor);
    for (unsigned i = 0; i < p->slot_count; ++i) {
        free(p->slots[i].bytes);
        free(p->slots[i].block.compressed);
    }
    pthread_cond_destroy(&p->room);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p->workers);
    free(p->queue);
    free(p);
}
