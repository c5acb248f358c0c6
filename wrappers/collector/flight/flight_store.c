/* SPDX-License-Identifier: MIT */
#include "collector/flight/flight_store.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/varint.h"
#include "base/worker_thread.h"
#include "formats/apitrace/container/codecs.h"
#include "trace/model.h"

#include <pthread.h>
#include <stdlib.h>

#define PARTS       16 /* the memory holds about so many chunks, or more */
#define LEAST_CHUNK ((size_t)8 << 10)
#define MOST_CHUNK  ((size_t)1 << 20)
#define MOST_QUEUED 4                 /* chunks that wait to be compressed */
#define LONG_EVENTS ((size_t)4 << 20) /* so many bytes of a chunk are compressed before it is complete */

#define COMPRESSORS 2

struct flight_store {
    struct flight_limits limits;
    const struct trace_block_codec *codec;
    /* For the thread, and for long chunks. */
    struct flight_compressor {
        void *state;
        struct buf room; /* for a compressed block */
    } compressors[COMPRESSORS];
    unsigned opened; /* of these */
    size_t target;   /* bytes of a chunk's events */
    flight_store_leaving leaving;
    void *context;

    uint64_t begin;               /* stream offset of the current chunk */
    uint64_t appended;            /* bytes of the stream so far */
    struct flight_chunk *head;    /* oldest; the list ends with the current one */
    struct flight_chunk *current; /* of the next event */
    struct flight_chunk *filled;  /* of the next byte */

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_t thread;
    bool has_thread, ends;
    struct flight_chunk *next; /* to be compressed next, if it is below `filled` in the list; guarded */
    unsigned queued;           /* guarded */
    uint64_t bytes;            /* of compressed chunks; guarded */
    unsigned too_large;        /* compressed chunks that are; guarded */
    int status;                /* of the thread; guarded */
};

/* --- chunks ---------------------------------------------------------------------------------------- */

static void unref(struct flight_chunk *c)
{
    if (atomic_fetch_sub(&c->refs, 1) != 1)
        return;
    buf_fini(&c->events);
    buf_fini(&c->blocks);
    buf_fini(&c->times);
    buf_fini(&c->definitions);
    buf_fini(&c->calls);
    free(c);
}

void flight_chunks_unref(struct flight_chunk **chunks, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        unref(chunks[i]);
    free(chunks);
}

static struct flight_chunk *add_chunk(struct flight_store *s, bool starts_frame, uint64_t call,
                                      uint64_t frame)
{
    struct flight_chunk *c = calloc(1, sizeof *c);
    if (c == NULL) {
        trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
        return NULL;
    }
    c->refs = 1;
    c->starts_frame = starts_frame;
    c->first_call = call;
    c->first_frame = frame;
    c->end = UINT64_MAX;
    c->begun = clock_milliseconds();
    c->first_time = c->last_time = TRACE_NO_TIME;
    if (s->current != NULL)
        s->current->next = c;
    else
        s->head = s->filled = s->next = c;
    s->current = c;
    return c;
}

struct flight_chunk *flight_store_current(struct flight_store *s)
{
    return s->current;
}

static uint64_t bytes_of(const struct flight_chunk *c)
{
    return sizeof *c + c->blocks.len + c->times.len + c->definitions.len + c->calls.len;
}

/* A buffer grows by doubling; what is kept for long should not. */
static void shrink(struct buf *b)
{
    uint8_t *less = b->len < b->cap && b->len > 0 ? realloc(b->data, b->len) : NULL;
    if (less == NULL)
        return;
    b->data = less;
    b->cap = b->len;
}

/* --- compression ------------------------------------------------------------------------------------ */

static int compress_block(struct flight_store *s, struct flight_compressor *with, struct flight_chunk *c,
                          size_t at)
{
    size_t rest = c->events.len - at;
    struct trace_block block = {.bytes = c->events.data + at,
                                .size = rest < s->codec->block_size ? rest : s->codec->block_size,
                                .compressed = with->room.data};
    int rc = s->codec->compress(with->state, &block);
    if (rc == 0 && buf_append(&c->blocks, block.compressed, block.length) != 0)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
    return rc;
}

/* Compresses the events that are there. What is too much for the memory is dropped. */
static int compress_events(struct flight_store *s, struct flight_compressor *with, struct flight_chunk *c)
{
    int rc = 0;
    for (size_t at = 0; at < c->events.len && rc == 0 && !c->is_too_large; at += s->codec->block_size) {
        rc = compress_block(s, with, c, at);
        c->is_too_large = c->blocks.len > s->limits.bytes;
    }
    if (c->is_too_large)
        buf_fini(&c->blocks);
    buf_clear(&c->events);
    return rc;
}

static int compress_chunk(struct flight_store *s, struct flight_chunk *c)
{
    int rc = compress_events(s, &s->compressors[0], c);
    buf_fini(&c->events);
    shrink(&c->blocks);
    shrink(&c->times);
    return rc;
}

static void *run_compressor(void *argument)
{
    struct flight_store *s = argument;
    pthread_mutex_lock(&s->mutex);
    while (!s->ends || s->queued > 0) {
        if (s->queued == 0) {
            pthread_cond_wait(&s->changed, &s->mutex);
            continue;
        }
        struct flight_chunk *c = s->next;
        pthread_mutex_unlock(&s->mutex);
        int rc = compress_chunk(s, c);
        pthread_mutex_lock(&s->mutex);
        s->status = rc != 0 ? rc : s->status;
        c->is_compressed = true;
        s->bytes += bytes_of(c);
        s->too_large += c->is_too_large;
        s->next = c->next;
        s->queued--;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

/* --- what leaves ------------------------------------------------------------------------------------ */

/* The chunk that is to be the oldest when the present one has left; NULL: none can leave. A frame that has
 * begun leaves as a whole, unless it is longer than everything that is kept. */
static struct flight_chunk *next_head(const struct flight_store *s)
{
    struct flight_chunk *c = s->head->next;
    if (c == NULL || !s->head->is_compressed)
        return NULL;
    while (c != s->current && !c->starts_frame && c->is_compressed)
        c = c->next;
    bool found = c != s->current && c->is_compressed;
    return found ? c : s->head->next;
}

static bool has_too_much(const struct flight_store *s, const struct flight_chunk *next)
{
    if (next == NULL)
        return false;
    return s->bytes > s->limits.bytes || s->too_large > 0 ||
           (s->limits.milliseconds > 0 && next->begun <= s->current->begun - s->limits.milliseconds);
}

static void leave(struct flight_store *s)
{
    struct flight_chunk *c = s->head;
    s->leaving(s->context, c);
    s->bytes -= bytes_of(c);
    s->too_large -= c->is_too_large;
    s->head = c->next;
    unref(c);
}

static void keep_limits(struct flight_store *s)
{
    struct flight_chunk *next;
    pthread_mutex_lock(&s->mutex);
    while (has_too_much(s, next = next_head(s)))
        while (s->head != next)
            leave(s);
    pthread_mutex_unlock(&s->mutex);
}

/* --- filling ---------------------------------------------------------------------------------------- */

int flight_store_add_time(struct flight_store *s, int64_t time)
{
    struct flight_chunk *c = s->current;
    if (buf_reserve(&c->times, VARINT_MAX_BYTES) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
    uint64_t code = 0;
    if (time != TRACE_NO_TIME) {
        int64_t units = time / FLIGHT_TIME_UNIT, difference = units - c->last_units;
        code = 1 + (((uint64_t)difference << 1) ^ (uint64_t)(difference >> 63));
        c->last_units = units;
        if (c->first_time == TRACE_NO_TIME)
            c->first_time = time;
        c->last_time = time;
    }
    c->times.len += varint_put(c->times.data + c->times.len, code);
    return 0;
}

static bool is_long_enough(const struct flight_store *s, uint64_t size, bool ends_frame)
{
    int64_t parts = s->limits.milliseconds / PARTS;
    size_t enough = ends_frame ? s->target / 2 : s->target;
    return size >= enough || (ends_frame && parts > 0 && clock_milliseconds() - s->current->begun >= parts);
}

int flight_store_cut(struct flight_store *s, uint64_t end, bool ends_frame, uint64_t call, uint64_t frame)
{
    if (!is_long_enough(s, end - s->begin, ends_frame))
        return 0;
    s->current->end = end;
    s->begin = end;
    return add_chunk(s, ends_frame, call, frame) != NULL ? 0 : TRACE_ERR_MEMORY;
}

/* All bytes of the chunk are there. */
static int pass_on(struct flight_store *s)
{
    pthread_mutex_lock(&s->mutex);
    while (s->queued >= MOST_QUEUED)
        pthread_cond_wait(&s->changed, &s->mutex);
    s->queued++;
    s->filled = s->filled->next;
    int rc = s->status;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
    keep_limits(s);
    return rc != 0 ? trace_error_set(rc, "the flight recorder cannot compress its chunks") : 0;
}

int flight_store_append(struct flight_store *s, const uint8_t *bytes, size_t count)
{
    int rc = 0;
    while (rc == 0 && (count > 0 || s->appended == s->filled->end)) {
        struct flight_chunk *c = s->filled;
        uint64_t rest = c->end - s->appended;
        size_t n = rest < count ? (size_t)rest : count;
        if (buf_append(&c->events, bytes, n) != 0)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
        bytes += n;
        count -= n;
        s->appended += n;
        if (c->events.len >= LONG_EVENTS)
            rc = compress_events(s, &s->compressors[1], c);
        if (rc == 0 && s->appended == c->end)
            rc = pass_on(s);
    }
    return rc;
}

/* --- taking ----------------------------------------------------------------------------------------- */

/* Returns the number of chunks before the current one, all compressed. */
static size_t wait_for_chunks(struct flight_store *s)
{
    size_t count = 0;
    pthread_mutex_lock(&s->mutex);
    while (s->queued > 0)
        pthread_cond_wait(&s->changed, &s->mutex);
    for (const struct flight_chunk *c = s->head; c != s->current; c = c->next)
        count++;
    pthread_mutex_unlock(&s->mutex);
    return count;
}

int flight_store_snapshot(struct flight_store *s, bool ends_frame, uint64_t call, uint64_t frame,
                          struct flight_chunk ***out, size_t *count)
{
    if (s->appended > s->begin) {
        s->current->end = s->begin = s->appended;
        if (add_chunk(s, ends_frame, call, frame) == NULL)
            return TRACE_ERR_MEMORY;
        int rc = flight_store_append(s, NULL, 0);
        if (rc != 0)
            return rc;
    }
    size_t n = wait_for_chunks(s), i = 0;
    keep_limits(s);
    struct flight_chunk **list = calloc(n + 1, sizeof *list);
    if (list == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
    for (struct flight_chunk *c = s->head; c != s->current; c = c->next, ++i) {
        atomic_fetch_add(&c->refs, 1);
        list[i] = c;
    }
    *out = list;
    *count = i;
    return 0;
}

uint64_t flight_store_first_call(const struct flight_store *s)
{
    return s->head->first_call;
}

uint64_t flight_store_bytes(struct flight_store *s)
{
    pthread_mutex_lock(&s->mutex);
    uint64_t bytes = s->bytes;
    pthread_mutex_unlock(&s->mutex);
    return bytes;
}

/* --- opening and closing ----------------------------------------------------------------------------- */

static size_t target_of(uint64_t bytes)
{
    uint64_t part = bytes / PARTS;
    return part < LEAST_CHUNK ? LEAST_CHUNK : part > MOST_CHUNK ? MOST_CHUNK : (size_t)part;
}

static int open_codec(struct flight_store *s, enum trace_container container, int level)
{
    int rc = trace_codec_check_level(container, &level);
    if (rc != 0)
        return rc;
    s->codec = trace_codec_of(container)->blocks;
    for (unsigned i = 0; i < COMPRESSORS && rc == 0; ++i) {
        if (buf_reserve(&s->compressors[i].room, s->codec->compressed_max()) != 0)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
        rc = s->codec->open(&s->compressors[i].state, level);
        s->opened += rc == 0;
    }
    return rc;
}

int flight_store_new(struct flight_store **out, const struct flight_limits *limits,
                     enum trace_container container, int level, flight_store_leaving leaving, void *context)
{
    struct flight_store *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
    s->limits = *limits;
    s->target = target_of(limits->bytes);
    s->leaving = leaving;
    s->context = context;
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->changed, NULL);
    int rc = open_codec(s, container, level);
    if (rc == 0 && add_chunk(s, true, 0, 0) == NULL)
        rc = TRACE_ERR_MEMORY;
    if (rc == 0 && worker_thread_start(&s->thread, run_compressor, s) != 0)
        rc = trace_error_set(TRACE_ERR_MEMORY, "cannot start a thread");
    s->has_thread = rc == 0;
    if (rc == 0)
        *out = s;
    else
        flight_store_free(s);
    return rc;
}

void flight_store_free(struct flight_store *s)
{
    if (s == NULL)
        return;
    if (s->has_thread) {
        pthread_mutex_lock(&s->mutex);
        s->ends = true;
        pthread_cond_broadcast(&s->changed);
        pthread_mutex_unlock(&s->mutex);
        pthread_join(s->thread, NULL);
    }
    while (s->head != NULL) {
        struct flight_chunk *c = s->head;
        s->head = c->next;
        unref(c);
    }
    for (unsigned i = 0; i < COMPRESSORS; ++i) {
        if (i < s->opened)
            s->codec->close(s->compressors[i].state);
        buf_fini(&s->compressors[i].room);
    }
    pthread_mutex_destroy(&s->mutex);
    pthread_cond_destroy(&s->changed);
    free(s);
}
