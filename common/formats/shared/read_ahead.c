/* SPDX-License-Identifier: MIT */
#include "formats/shared/read_ahead.h"

#include "base/error.h"
#include "base/worker_thread.h"

#include <stdlib.h>

#define BLOCKS 4
#define LENT   2 /* number of blocks that the user of the blocks may still have */

struct block {
    uint8_t *memory; /* READ_AHEAD_SPACE, then READ_AHEAD_BLOCK bytes */
    size_t got;
    struct trace_kept_error error;
};

struct read_ahead {
    struct trace_file *file;
    uint64_t offset; /* of the next block to be read; only used by the thread */
    pthread_t thread;

    pthread_mutex_t lock;   /* protects the following members */
    pthread_cond_t changed; /* one of them was changed */
    uint64_t read;          /* number of blocks that were read; block i is blocks[i % BLOCKS] */
    uint64_t taken;
    bool stopping;
    struct block blocks[BLOCKS];
};

static bool is_last(const struct block *b)
{
    return b->got < READ_AHEAD_BLOCK || b->error.code != 0;
}

static void read_block(struct read_ahead *a, struct block *b)
{
    int rc = trace_file_read_at(a->file, a->offset, b->memory + READ_AHEAD_SPACE, READ_AHEAD_BLOCK, &b->got);
    a->offset += READ_AHEAD_BLOCK;
    if (rc != 0)
        trace_error_keep(&b->error, rc);
}

static bool has_room(const struct read_ahead *a)
{
    return a->read < a->taken + BLOCKS - LENT;
}

static void *run(void *argument)
{
    struct read_ahead *a = argument;
    bool ended = false;
    pthread_mutex_lock(&a->lock);
    while (!ended && !a->stopping) {
        if (!has_room(a)) {
            pthread_cond_wait(&a->changed, &a->lock);
            continue;
        }
        struct block *b = &a->blocks[a->read % BLOCKS];
        pthread_mutex_unlock(&a->lock);
        read_block(a, b);
        ended = is_last(b);
        pthread_mutex_lock(&a->lock);
        a->read++;
        pthread_cond_signal(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

static void free_all(struct read_ahead *a)
{
    for (unsigned i = 0; i < BLOCKS; ++i)
        free(a->blocks[i].memory);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

struct read_ahead *read_ahead_start(struct trace_file *file, uint64_t offset)
{
    struct read_ahead *a = calloc(1, sizeof *a);
    bool ok = a != NULL;
    if (!ok)
        return NULL;
    a->file = file;
    a->offset = offset;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    for (unsigned i = 0; i < BLOCKS; ++i)
        ok &= (a->blocks[i].memory = malloc(READ_AHEAD_SPACE + READ_AHEAD_BLOCK)) != NULL;
    if (ok && worker_thread_start(&a->thread, run, a) == 0)
        return a;
    free_all(a);
    return NULL;
}

int read_ahead_next(struct read_ahead *a, uint8_t **bytes, size_t *got)
{
    pthread_mutex_lock(&a->lock);
    /* The last block is followed by the same one without bytes. */
    bool past_end = a->taken > 0 && is_last(&a->blocks[(a->taken - 1) % BLOCKS]);
    while (!past_end && a->read == a->taken)
        pthread_cond_wait(&a->changed, &a->lock);
    if (!past_end)
        a->taken++;
    pthread_cond_signal(&a->changed);
    struct block *b = &a->blocks[(a->taken - 1) % BLOCKS];
    pthread_mutex_unlock(&a->lock);
    *bytes = b->memory + READ_AHEAD_SPACE;
    *got = past_end ? 0 : b->got;
    return b->error.code != 0 ? trace_error_restore(&b->error) : 0;
}

void read_ahead_stop(struct read_ahead *a)
{
    if (a == NULL)
        return;
    pthread_mutex_lock(&a->lock);
    a->stopping = true;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    free_all(a);
}
