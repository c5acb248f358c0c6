/* SPDX-License-Identifier: MIT */
#include "call_queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/worker_thread.h"
#include "call/replay_function.h"
#include "formats/apitrace/read/reader_probed.h"

/* Calls are passed on in batches, so that the cost of the lock per call is negligible. A batch also ends when
 * its memory is full, and nothing is read ahead while so many bytes wait to be replayed. */
enum { BATCH_CALLS = 256, BATCH_PLAIN = 1 << 14, BATCH_COUNT = 16, BATCHES_OFFERED = 4 };
#define BATCH_BYTES ((uint64_t)1 << 15)
#define BYTES_AHEAD ((uint64_t)1 << 20)
#define CALL_BYTES  1024 /* that a call takes at least, if it is not a plain one */
/* Room that any plain call finds. */
#define LEAST_ROOM (sizeof(struct trace_plain_run) + SPEC_PACKED_BYTES)

struct batch {
    struct ready_call calls[BATCH_CALLS];
    _Alignas(uint64_t) uint8_t plain[BATCH_PLAIN]; /* runs of plain calls */
    unsigned count, plain_size;
    uint64_t bytes; /* of blobs and the like */
    bool last;
    struct trace_kept_error end; /* of the reader, after the calls of this batch */
};

struct call_queue {
    struct replayer *replayer;
    struct trace_plain_calls plain;
    bool threaded;
    pthread_t thread;

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned filled; /* number of batches between the two threads; protected by mutex, likewise below */
    uint64_t bytes;  /* of these */
    bool is_waiting; /* the reading thread, until there is much room again */
    bool is_offered; /* the batches, until there are none: the replaying thread waits for some of them */
    bool stop;

    /* Written by the replaying thread: the call that it replays ends a frame. By the other one: it waits for
     * the end of this call. */
    atomic_bool ends_frame, is_paused;

    unsigned write_index; /* used by the reading thread only */
    unsigned read_index;  /* the following members are used by the replaying thread only */
    unsigned position;    /* in the current batch */
    bool holding;         /* the batch at read_index is being handed out */
    bool ended;
    struct batch batches[BATCH_COUNT];
};

static void release_batch(struct call_queue *q, struct batch *batch)
{
    for (unsigned i = 0; i < batch->count; ++i)
        trace_call_release(q->replayer->reader, batch->calls[i].call);
    batch->count = batch->plain_size = 0;
    batch->bytes = 0;
}

/* --- reading ----------------------------------------------------------------------------------------------
 */

static const struct trace_plain_function *find_plain(void *context, const struct trace_function_sig *sig)
{
    struct call_queue *q = context;
    return replay_function_plain(q->replayer, sig);
}

/* Reads the plain calls that come next. Returns false if there are none. */
static bool add_plain(struct call_queue *q, struct batch *batch)
{
    struct trace_plain_part plain;
    trace_plain_calls_read(&q->plain, batch->plain + batch->plain_size, BATCH_PLAIN - batch->plain_size,
                           &plain);
    if (plain.count == 0)
        return false;
    batch->calls[batch->count++] =
        (struct ready_call){.plain = plain, .number = plain.number, .thread = plain.thread};
    batch->plain_size += plain.size;
    return true;
}

/* About what it takes. */
static uint64_t size_of(const struct trace_call *call)
{
    uint64_t bytes = CALL_BYTES;
    for (uint32_t i = 0; i < call->arg_count; ++i) {
        const struct trace_value *v = &call->args[i];
        if (v->type == TRACE_BLOB || v->type == TRACE_STRING)
            bytes += v->count;
        else if (v->type == TRACE_ARRAY)
            bytes += v->count * (v->element == TRACE_NONE ? sizeof(struct trace_value) : sizeof(uint64_t));
    }
    return bytes;
}

static int add_call(struct call_queue *q, struct batch *batch, const struct trace_call *call)
{
    struct replay_function *fn = replay_function_find(q->replayer, call->sig);
    if (fn == NULL) {
        trace_call_release(q->replayer->reader, call);
        return TRACE_ERR_MEMORY;
    }
    batch->calls[batch->count++] = (struct ready_call){
        .function = fn, .call = call, .number = call->number, .thread = call->thread, .flags = call->flags};
    batch->bytes += size_of(call);
    return 0;
}

/* An error or the end of the trace ends a batch early. */
static void read_calls(struct call_queue *q, struct batch *batch)
{
    while (batch->count < BATCH_CALLS && batch->plain_size <= BATCH_PLAIN - LEAST_ROOM &&
           batch->bytes < BATCH_BYTES) {
        if (add_plain(q, batch))
            continue;
        const struct trace_call *call = NULL;
        int rc = trace_reader_next_call(q->replayer->reader, &call);
        if (rc == 0 && call != NULL)
            rc = add_call(q, batch, call);
        if (rc != 0)
            trace_error_keep(&batch->end, rc);
        batch->last = rc != 0 ? rc != TRACE_ERR_TRUNCATED : call == NULL;
        if (rc != 0 || call == NULL)
            return;
    }
}

static void fill_batch(struct call_queue *q, struct batch *batch)
{
    release_batch(q, batch);
    batch->end.code = 0;
    read_calls(q, batch);
    trace_reader_read_on(q->replayer->reader);
}

/* A thread that waits for the other one is only woken for several batches, since that takes as long as a
 * hundred calls. */
static bool is_full(const struct call_queue *q)
{
    return q->filled == BATCH_COUNT || q->bytes > BYTES_AHEAD;
}

static bool has_room(const struct call_queue *q)
{
    return q->filled <= BATCH_COUNT / 2 && q->bytes <= BYTES_AHEAD / 2;
}

/* At the end of a frame, drivers that render on processors need them all. To wait is worth it if large blobs
 * are being read. */
static bool may_pause(const struct call_queue *q)
{
    bool has_blobs = q->bytes > q->filled * (BATCH_BYTES / 2 * 3);
    return q->filled >= BATCHES_OFFERED && has_blobs && atomic_load(&q->ends_frame);
}

/* Returns false if the replay ends. */
static bool wait_for_room(struct call_queue *q)
{
    pthread_mutex_lock(&q->mutex);
    q->is_waiting = is_full(q);
    while (q->is_waiting && !q->stop)
        pthread_cond_wait(&q->changed, &q->mutex);
    atomic_store(&q->is_paused, true);
    while (may_pause(q) && !q->stop)
        pthread_cond_wait(&q->changed, &q->mutex);
    atomic_store(&q->is_paused, false);
    bool stop = q->stop;
    pthread_mutex_unlock(&q->mutex);
    return !stop;
}

static void offer_batch(struct call_queue *q, const struct batch *batch)
{
    pthread_mutex_lock(&q->mutex);
    q->filled++;
    q->bytes += batch->bytes;
    bool is_enough = q->filled >= BATCHES_OFFERED || q->bytes >= 2 * BATCH_BYTES;
    if (!q->is_offered && (is_enough || batch->last)) {
        q->is_offered = true;
        pthread_cond_signal(&q->changed);
    }
    pthread_mutex_unlock(&q->mutex);
}

static void *read_ahead(void *arg)
{
    struct call_queue *q = arg;
    for (bool last = false; !last;) {
        if (!wait_for_room(q))
            break;
        struct batch *batch = &q->batches[q->write_index];
        q->write_index = (q->write_index + 1) % BATCH_COUNT;
        fill_batch(q, batch);
        last = batch->last;
        offer_batch(q, batch);
    }
    return NULL;
}

int call_queue_start(struct call_queue **out, struct replayer *r, bool threaded)
{
    struct call_queue *q = calloc(1, sizeof *q);
    if (q == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for reading ahead");
    q->replayer = r;
    q->plain = (struct trace_plain_calls){.reader = r->reader, .find = find_plain, .context = q};
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

/* --- handing out ------------------------------------------------------------------------------------------
 */

static void take_batch(struct call_queue *q)
{
    if (q->threaded) {
        pthread_mutex_lock(&q->mutex);
        while (!q->is_offered)
            pthread_cond_wait(&q->changed, &q->mutex);
        pthread_mutex_unlock(&q->mutex);
    } else {
        fill_batch(q, &q->batches[q->read_index]);
    }
    q->holding = true;
    q->position = 0;
}

/* The reading thread releases the calls when it fills the batch again, because that is cheaper for the
 * reader, unless they take much memory. */
static void give_batch_back(struct call_queue *q)
{
    struct batch *batch = &q->batches[q->read_index];
    uint64_t bytes = batch->bytes;
    if (bytes > batch->count * (uint64_t)CALL_BYTES + BATCH_BYTES / BATCH_COUNT)
        release_batch(q, batch);
    q->holding = false;
    q->position = 0;
    if (!q->threaded)
        return;
    q->read_index = (q->read_index + 1) % BATCH_COUNT;
    pthread_mutex_lock(&q->mutex);
    q->filled--;
    q->bytes -= bytes;
    q->is_offered = q->filled > 0;
    if (q->is_waiting && has_room(q)) {
        q->is_waiting = false;
        pthread_cond_signal(&q->changed);
    }
    pthread_mutex_unlock(&q->mutex);
}

/* The call has been replayed that was handed out last. */
static void end_call(struct call_queue *q)
{
    if (!atomic_load_explicit(&q->ends_frame, memory_order_relaxed))
        return;
    atomic_store(&q->ends_frame, false);
    if (!atomic_load(&q->is_paused))
        return;
    pthread_mutex_lock(&q->mutex);
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->mutex);
}

/* Another thread wrote the calls, and the driver has used the caches since. */
static void prefetch(const struct batch *batch, unsigned position)
{
    enum { LINE = 64, MOST = 4 * LINE };
    const struct ready_call *next = &batch->calls[position];
    if (position + 2 < batch->count && next[2].call != NULL) {
        __builtin_prefetch(next[2].call);
        __builtin_prefetch((const char *)next[2].call + LINE);
        __builtin_prefetch(next[2].function);
        __builtin_prefetch((const char *)next[2].function + LINE);
    }
    if (position + 1 < batch->count && next[1].call != NULL)
        for (size_t n = 0; n < next[1].call->arg_count * sizeof *next[1].call->args && n < MOST; n += LINE)
            __builtin_prefetch((const char *)next[1].call->args + n);
}

static const struct ready_call *hand_out(struct call_queue *q, const struct batch *batch)
{
    prefetch(batch, q->position);
    const struct ready_call *call = &batch->calls[q->position++];
    if ((call->flags & TRACE_CALL_END_FRAME) != 0 && q->threaded)
        atomic_store_explicit(&q->ends_frame, true, memory_order_relaxed);
    return call;
}

int call_queue_next(struct call_queue *q, const struct ready_call **out)
{
    *out = NULL;
    end_call(q);
    while (!q->ended) {
        if (!q->holding)
            take_batch(q);
        struct batch *batch = &q->batches[q->read_index];
        if (q->position < batch->count) {
            *out = hand_out(q, batch);
            return 0;
        }
        int rc = batch->end.code;
        if (rc != 0)
            trace_error_restore(&batch->end);
        q->ended = batch->last;
        give_batch_back(q);
        if (rc != 0)
            return rc;
    }
    return 0;
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
