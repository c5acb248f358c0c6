/* SPDX-License-Identifier: MIT */
#include "call_queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/worker_thread.h"

/* Calls are passed on in batches, so that the cost of the lock per call is negligible. */
enum { BATCH_CALLS = 128, BATCH_COUNT = 16 };

struct batch {
    const struct trace_call *calls[BATCH_CALLS]; /* NULL: kept by the caller */
    unsigned count;
    int rc; /* result of the reader after the calls of this batch */
    bool last;
    char message[512]; /* of rc, because error messages are per thread */
};

struct call_queue {
    struct trace_reader *reader;
    bool threaded;
    pthread_t thread;

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned filled; /* number of batches between the two threads; protected by mutex, like stop */
    bool stop;

    unsigned write_index; /* used by the reading thread only */
    unsigned read_index;  /* the following members are used by the replaying thread only */
    unsigned position;    /* in the current batch */
    bool holding;         /* the batch at read_index is being handed out */
    bool ended;
    struct batch batches[BATCH_COUNT];
};

/* The reading thread releases the calls of a whole batch, because that is cheaper for the reader. */
static void release_batch(struct call_queue *q, struct batch *batch)
{
    for (unsigned i = 0; i < batch->count; ++i)
        if (batch->calls[i] != NULL)
            trace_call_release(q->reader, batch->calls[i]);
    batch->count = 0;
}

/* Fills a batch. An error or the end of the trace ends it early. */
static void fill_batch(struct call_queue *q, struct batch *batch)
{
    release_batch(q, batch);
    batch->rc = 0;
    batch->last = false;
    while (batch->count < BATCH_CALLS) {
        const struct trace_call *call = NULL;
        batch->rc = trace_reader_next_call(q->reader, &call);
        if (batch->rc != 0) {
            strncpy(batch->message, trace_error_message(), sizeof batch->message - 1);
            batch->message[sizeof batch->message - 1] = '\0';
            batch->last = batch->rc != TRACE_ERR_TRUNCATED;
            return;
        }
        if (call == NULL) {
            batch->last = true;
            return;
        }
        batch->calls[batch->count++] = call;
    }
}

static void *read_ahead(void *arg)
{
    struct call_queue *q = arg;
    for (bool last = false; !last;) {
        pthread_mutex_lock(&q->mutex);
        while (q->filled == BATCH_COUNT && !q->stop)
            pthread_cond_wait(&q->changed, &q->mutex);
        bool stop = q->stop;
        pthread_mutex_unlock(&q->mutex);
        if (stop)
            break;
        struct batch *batch = &q->batches[q->write_index];
        q->write_index = (q->write_index + 1) % BATCH_COUNT;
        fill_batch(q, batch);
        last = batch->last;
        pthread_mutex_lock(&q->mutex);
        q->filled++;
        pthread_cond_signal(&q->changed);
        pthread_mutex_unlock(&q->mutex);
    }
    return NULL;
}

int call_queue_start(struct call_queue **out, struct trace_reader *reader, bool threaded)
{
    struct call_queue *q = calloc(1, sizeof *q);
    if (q == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for reading ahead");
    q->reader = reader;
    q->threaded = threaded;
    pthread_mutex_init(&q->mutex, NULL);
    pthread_cond_init(&q->changed, NULL);
    if (threaded) {
        int failed = worker_thread_start(&q->thread, read_ahead, q);
        if (failed != 0) {
            free(q);
            return trace_error_set_errno(TRACE_ERR_MEMORY, failed, "cannot start the reading thread");
        }
    }
    *out = q;
    return 0;
}

static void take_batch(struct call_queue *q)
{
    pthread_mutex_lock(&q->mutex);
    while (q->filled == 0)
        pthread_cond_wait(&q->changed, &q->mutex);
    pthread_mutex_unlock(&q->mutex);
    q->holding = true;
    q->position = 0;
}

static void give_batch_back(struct call_queue *q)
{
    q->read_index = (q->read_index + 1) % BATCH_COUNT;
    q->holding = false;
    q->position = 0;
    pthread_mutex_lock(&q->mutex);
    q->filled--;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->mutex);
}

static int next_unthreaded(struct call_queue *q, const struct trace_call **out)
{
    struct batch *batch = &q->batches[0];
    release_batch(q, batch);
    int rc = trace_reader_next_call(q->reader, out);
    if (*out != NULL) {
        batch->calls[0] = *out;
        batch->count = q->position = 1;
    }
    return rc;
}

int call_queue_next(struct call_queue *q, const struct trace_call **out)
{
    *out = NULL;
    if (!q->threaded)
        return next_unthreaded(q, out);
    while (!q->ended) {
        if (!q->holding)
            take_batch(q);
        struct batch *batch = &q->batches[q->read_index];
        if (q->position < batch->count) {
            *out = batch->calls[q->position++];
            return 0;
        }
        int rc = batch->rc;
        if (rc != 0)
            trace_error_set(rc, "%s", batch->message);
        q->ended = batch->last;
        give_batch_back(q);
        if (rc != 0)
            return rc;
    }
    return 0;
}

void call_queue_keep(struct call_queue *q)
{
    q->batches[q->read_index].calls[q->position - 1] = NULL;
}

void call_queue_stop(struct call_queue *q)
{
    if (q == NULL)
        return;
    if (q->threaded) {
        pthread_mutex_lock(&q->mutex);
        q->stop = true;
        pthread_cond_signal(&q->changed);
        pthread_mutex_unlock(&q->mutex);
        pthread_join(q->thread, NULL);
    }
    for (unsigned i = 0; i < BATCH_COUNT; ++i)
        release_batch(q, &q->batches[i]);
    pthread_mutex_destroy(&q->mutex);
    pthread_cond_destroy(&q->changed);
    free(q);
}
