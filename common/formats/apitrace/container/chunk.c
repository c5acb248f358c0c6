/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/chunk.h"

#include "base/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define KEPT_CHUNKS 16
/* Of those that were joined for long events, few are kept, and none that are larger still. */
#define KEPT_JOINED  2
#define JOINED_CAP   ((size_t)2 << 20)
#define LARGEST_KEPT ((size_t)4 << 20)
#define LARGE_PAGE   ((size_t)2 << 20)

struct trace_chunk_pool {
    pthread_mutex_t lock;
    struct trace_chunk *free;
    unsigned free_count, free_joined;
    size_t live; /* number of chunks in use */
    bool closed;
    bool wants_large; /* the next new chunk should use a huge page */
};

int trace_chunk_pool_new(struct trace_chunk_pool **out)
{
    struct trace_chunk_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    pthread_mutex_init(&pool->lock, NULL);
    *out = pool;
    return 0;
}

void trace_chunk_pool_expect_full(struct trace_chunk_pool *pool)
{
    pool->wants_large = true;
}

static void destroy_pool(struct trace_chunk_pool *pool)
{
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

static void destroy_chunk(struct trace_chunk *c)
{
    buf_fini(&c->compressed);
    free(c->memory);
    free(c);
}

void trace_chunk_pool_free(struct trace_chunk_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->free != NULL) {
        struct trace_chunk *c = pool->free;
        pool->free = c->next_free;
        destroy_chunk(c);
    }
    pool->closed = true;
    bool last = pool->live == 0;
    pthread_mutex_unlock(&pool->lock);
    if (last)
        destroy_pool(pool);
}

size_t trace_chunk_pool_live(struct trace_chunk_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    size_t live = pool->live;
    pthread_mutex_unlock(&pool->lock);
    return live;
}

static void take_large_page(struct trace_chunk *c)
{
    uint8_t *memory = aligned_alloc(LARGE_PAGE, LARGE_PAGE);
    if (memory == NULL)
        return;
    madvise(memory, LARGE_PAGE, MADV_HUGEPAGE); /* has no effect if there are none */
    c->memory = memory;
    c->data = memory + TRACE_CHUNK_HEADROOM;
    c->cap = LARGE_PAGE - TRACE_CHUNK_HEADROOM;
}

static bool is_joined(const struct trace_chunk *c)
{
    return c->cap > JOINED_CAP;
}

/* Takes the smallest free chunk that has room for cap bytes. Returns NULL if there is none. */
static struct trace_chunk *take_free(struct trace_chunk_pool *pool, size_t cap)
{
    struct trace_chunk **best = NULL;
    for (struct trace_chunk **at = &pool->free; *at != NULL; at = &(*at)->next_free)
        if ((*at)->cap >= cap && (best == NULL || (*at)->cap < (*best)->cap))
            best = at;
    if (best == NULL)
        return NULL;
    struct trace_chunk *c = *best;
    *best = c->next_free;
    pool->free_count--;
    pool->free_joined -= is_joined(c);
    return c;
}

struct trace_chunk *trace_chunk_new(struct trace_chunk_pool *pool, size_t cap)
{
    bool is_large = false;
    pthread_mutex_lock(&pool->lock);
    struct trace_chunk *c = take_free(pool, cap);
    if (c == NULL) {
        c = calloc(1, sizeof *c);
        is_large = pool->wants_large;
        pool->wants_large = false;
    }
    pool->live += c != NULL;
    pthread_mutex_unlock(&pool->lock);
    if (c == NULL) {
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        return NULL;
    }
    c->pool = pool;
    c->len = 0;
    c->compressed_for = NULL;
    c->read_at_end = 0;
    if (is_large)
        take_large_page(c);
    atomic_store_explicit(&c->refs, 1, memory_order_relaxed);
    if (trace_chunk_reserve(c, cap) != 0) {
        trace_chunk_unref(c);
        return NULL;
    }
    return c;
}

int trace_chunk_reserve(struct trace_chunk *c, size_t cap)
{
    if (cap <= c->cap && c->memory != NULL)
        return 0;
    if (cap > SIZE_MAX / 2)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: chunk of %zu bytes", cap);
    if (c->len == 0) {
        free(c->memory); /* realloc() would copy the contents */
        c->memory = NULL;
        c->cap = 0;
    }
    /* For large chunks, this moves pages instead of bytes. */
    uint8_t *memory = realloc(c->memory, TRACE_CHUNK_HEADROOM + cap);
    if (memory == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: chunk of %zu bytes", cap);
    c->memory = memory;
    c->data = memory + TRACE_CHUNK_HEADROOM;
    c->cap = cap;
    return 0;
}

void trace_chunk_give_back(struct trace_chunk *c)
{
    struct trace_chunk_pool *pool = c->pool;
    pthread_mutex_lock(&pool->lock);
    pool->live--;
    bool keep = !pool->closed && pool->free_count < KEPT_CHUNKS && c->cap <= LARGEST_KEPT &&
                (!is_joined(c) || pool->free_joined < KEPT_JOINED) && c->memory != NULL;
    if (keep) {
        c->next_free = pool->free;
        pool->free = c;
        pool->free_count++;
        pool->free_joined += is_joined(c);
    }
    bool last = pool->closed && pool->live == 0;
    pthread_mutex_unlock(&pool->lock);
    if (!keep)
        destroy_chunk(c);
    if (last)
        destroy_pool(pool);
}
