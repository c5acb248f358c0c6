/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/input_state.h"

#include "base/error.h"
#include "base/processors.h"
#include "base/worker_thread.h"
#include "formats/apitrace/container/codecs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define MARK_BYTES 2            /* size of the shortest magic number that is text */
#define SMALL_FILE (256u << 10) /* in bytes; smaller files are not worth a thread */
#define FULL_CHUNK (128u << 10) /* in bytes; larger files contain more than a small part of a chunk */
/* Number of chunks that are read after a seek before others are decompressed ahead, because few may be
 * wanted. */
#define ALONE 4

/* --- the pipeline ---------------------------------------------------------------------------------- */

/* Checks the chunk's compressed bytes, which are in scratch unless the chunk has them. */
static int check_chunk(const struct trace_input *in, const struct trace_chunk_job *job,
                       const struct buf *scratch, struct trace_chunk *chunk)
{
    chunk->length = job->length;
    if (!job->is_checked && !in->noting)
        return 0;
    size_t count = scratch->len;
    const uint8_t *compressed =
        chunk->read_at_end > 0 ? trace_chunk_compressed(chunk, &count) : scratch->data;
    chunk->checksum = XXH64(compressed, count, 0);
    if (in->noting)
        chunk->content_checksum = (uint32_t)XXH64(chunk->data, chunk->len, 0);
    if (!job->is_checked || chunk->checksum == job->checksum)
        return 0;
    chunk->len = 0;
    return trace_error_set(TRACE_ERR_FORMAT, "chunk %llu at file offset %llu: wrong checksum",
                           (unsigned long long)job->number, (unsigned long long)job->file_offset);
}

/* Gives the chunk its compressed bytes, in exchange for the memory of an earlier chunk. */
static void keep_compressed(const struct trace_input *in, struct buf *scratch, struct trace_chunk *chunk)
{
    if (chunk->read_at_end == 0) {
        struct buf compressed = *scratch;
        *scratch = chunk->compressed;
        chunk->compressed = compressed;
    }
    chunk->compressed_for = in->codec->blocks;
}

/* Fills the slot from a claimed job. Runs without the lock. */
static void produce(struct trace_input *in, const struct trace_chunk_job *job, struct buf *scratch,
                    struct slot *slot)
{
    slot->chunk = trace_chunk_new(in->pool, TRACE_CODEC_CHUNK_SIZE);
    slot->error.code = TRACE_ERR_MEMORY;
    if (slot->chunk != NULL) {
        slot->chunk->number = job->number;
        slot->chunk->file_offset = job->file_offset;
        slot->error.code = in->codec->reader_produce(in->state, job, scratch, slot->chunk);
        if (slot->error.code == 0 && in->codec->independent)
            slot->error.code = check_chunk(in, job, scratch, slot->chunk);
        if (slot->error.code == 0 && slot->keeps_compressed)
            keep_compressed(in, scratch, slot->chunk);
    }
    if (slot->error.code != 0)
        trace_error_keep(&slot->error, slot->error.code);
}

/* Gets the checksum of the chunk from the index, if the index refers to the same chunk. */
static void look_up_checksum(struct trace_input *in, struct trace_chunk_job *job)
{
    struct trace_chunk_entry entry;
    job->is_checked = in->index != NULL && in->codec->independent &&
                      trace_index_chunk(in->index, job->number, &entry) == 0 &&
                      entry.file_offset == job->file_offset && entry.length == job->claimed;
    if (job->is_checked)
        job->checksum = entry.checksum;
}

/* Assigns the next job to the slot. Returns true if there is one to produce; otherwise the slot is complete.
 * The lock must be held. */
static bool claim(struct trace_input *in, struct trace_chunk_job *job, struct slot *slot)
{
    memset(slot, 0, sizeof *slot);
    slot->keeps_compressed = in->codec->independent && in->compressed != COMPRESSED_DROPPED;
    int rc = in->codec->reader_claim(in->state, job);
    if (rc > 0) {
        if (in->codec->independent)
            in->claimed_bytes = job->file_offset + job->length;
        look_up_checksum(in, job);
        return true;
    }
    in->all_claimed = true;
    slot->end = rc == 0;
    slot->error.code = rc;
    if (rc != 0)
        trace_error_keep(&slot->error, slot->error.code);
    return false;
}

/* The second chunk may be decompressed along with the first, and others when the second was requested. */
static bool may_claim(const struct trace_input *in)
{
    if (in->compressed == COMPRESSED_UNDECIDED && in->claimed >= 2)
        return false;
    bool has_room = in->saves_memory ? in->claimed < in->allowed : in->claimed - in->taken < in->ahead;
    return !in->all_claimed && has_room;
}

/* Fills the next slot. The lock must be held; it is released while decompressing. */
static void fill_next(struct trace_input *in, struct buf *scratch)
{
    struct slot *slot = &in->slots[in->claimed++ % SLOTS];
    struct trace_chunk_job job;
    if (claim(in, &job, slot)) {
        pthread_mutex_unlock(&in->lock);
        produce(in, &job, scratch, slot);
        pthread_mutex_lock(&in->lock);
    }
    slot->ready = true;
    pthread_cond_signal(&in->produced);
}

static void *run_worker(void *argument)
{
    struct trace_input *in = argument;
    struct buf scratch = BUF_INIT;
    pthread_mutex_lock(&in->lock);
    while (!in->stopping && !in->all_claimed) {
        if (may_claim(in))
            fill_next(in, &scratch);
        else
            pthread_cond_wait(&in->consumed, &in->lock);
    }
    pthread_mutex_unlock(&in->lock);
    buf_fini(&scratch);
    return NULL;
}

static void start_workers(struct trace_input *in)
{
    if (in->file.size < SMALL_FILE + in->claimed_bytes)
        return;
    unsigned processors = processor_count();
    unsigned wanted = 1;
    if (in->codec->independent && !in->file.is_pipe && processors > 2)
        wanted = processors - 1 < MAX_WORKERS ? processors - 1 : MAX_WORKERS;
    if (in->saves_memory) {
        wanted = 1;
        buf_fini(&in->scratch); /* only the worker decompresses from now on */
    }
    in->ahead = wanted + SPARE;
    while (in->worker_count < wanted &&
           worker_thread_start(&in->workers[in->worker_count], run_worker, in) == 0)
        in->worker_count++;
}

void trace_input_stop_workers(struct trace_input *in)
{
    pthread_mutex_lock(&in->lock);
    in->stopping = true;
    pthread_cond_broadcast(&in->consumed);
    pthread_mutex_unlock(&in->lock);
    for (unsigned i = 0; i < in->worker_count; ++i)
        pthread_join(in->workers[i], NULL);
    for (unsigned i = 0; i < SLOTS; ++i) {
        trace_chunk_unref(in->slots[i].chunk);
        in->slots[i].chunk = NULL;
        in->slots[i].ready = false;
    }
    in->worker_count = 0;
    in->stopping = false;
}

/* When the second chunk is requested, it is decided whether compressed bytes are kept. */
static void settle_compressed(struct trace_input *in)
{
    pthread_mutex_lock(&in->lock);
    if (in->compressed == COMPRESSED_UNDECIDED)
        in->compressed = COMPRESSED_DROPPED;
    pthread_cond_broadcast(&in->consumed);
    pthread_mutex_unlock(&in->lock);
}

/* If there is an index, maybe only a few chunks are wanted from each place. A thread that waits for a pipe
 * cannot be stopped. The first chunk may be most of a file. */
static bool shall_read_ahead(struct trace_input *in)
{
    unsigned alone = in->index != NULL || in->file.is_pipe ? ALONE : in->file.size < 2 * SMALL_FILE;
    return in->worker_count == 0 && in->alone++ == alone;
}

/* The next chunk may be decompressed, if memory is saved. The lock must be held. */
static void allow_next(struct trace_input *in)
{
    in->allowed = in->taken + 1;
    pthread_cond_signal(&in->consumed);
}

static struct slot take_slot(struct trace_input *in)
{
    struct slot slot;
    struct trace_chunk_job job;
    if (in->has_taken && in->compressed == COMPRESSED_UNDECIDED)
        settle_compressed(in);
    in->has_taken = true;
    if (shall_read_ahead(in))
        start_workers(in);
    if (in->worker_count == 0) {
        if (claim(in, &job, &slot))
            produce(in, &job, &in->scratch, &slot);
        return slot;
    }
    pthread_mutex_lock(&in->lock);
    allow_next(in);
    struct slot *next = &in->slots[in->taken % SLOTS];
    while (!next->ready) {
        if (may_claim(in) && in->codec->independent && !in->file.is_pipe && !in->saves_memory)
            fill_next(in, &in->scratch); /* instead of waiting, with memory of its own */
        else
            pthread_cond_wait(&in->produced, &in->lock);
    }
    slot = *next;
    next->ready = false;
    next->chunk = NULL;
    in->taken++;
    pthread_cond_signal(&in->consumed);
    pthread_mutex_unlock(&in->lock);
    return slot;
}

void trace_input_read_on(struct trace_input *in)
{
    if (!in->saves_memory || in->allowed > in->taken || trace_chunk_pool_live(in->pool) > 1)
        return;
    pthread_mutex_lock(&in->lock);
    allow_next(in);
    pthread_mutex_unlock(&in->lock);
}

static int note_chunk(struct trace_input *in, struct slot *slot)
{
    const struct trace_chunk *chunk = slot->chunk;
    const struct trace_chunk_entry entry = {.file_offset = chunk->file_offset,
                                            .length = chunk->length,
                                            .stream_offset = in->noted_bytes,
                                            .size = chunk->len,
                                            .checksum = chunk->checksum,
                                            .content_checksum = chunk->content_checksum};
    int rc = trace_chunk_list_add(&in->noted, &entry);
    in->noted_bytes += chunk->len;
    if (rc != 0)
        trace_error_keep(&slot->error, rc);
    return rc;
}

static void report_progress(struct trace_input *in)
{
    if (in->progress.report != NULL)
        in->progress.report(in->progress.context, in->seen, in->file.is_pipe ? 0 : in->file.size);
}

static int end_by_tee(struct trace_input *in, struct trace_chunk *chunk, int rc)
{
    trace_chunk_unref(chunk);
    in->ended = true;
    return trace_error_keep(&in->final, rc);
}

int trace_input_next_chunk(struct trace_input *in, struct trace_chunk **out)
{
    *out = NULL;
    while (!in->ended) {
        struct slot slot = take_slot(in);
        if (slot.error.code == 0 && in->noting && slot.chunk != NULL && in->codec->independent)
            slot.error.code = note_chunk(in, &slot);
        if (slot.error.code == TRACE_ERR_FORMAT && slot.chunk != NULL && in->resumes) {
            trace_chunk_unref(slot.chunk);
            return trace_error_prefix(trace_error_restore(&slot.error), "%s", in->path);
        }
        if (slot.error.code != 0 || slot.end) {
            in->ended = true;
            in->final = slot.error;
        }
        if (slot.chunk != NULL && slot.chunk->len > 0) {
            in->seen = slot.chunk->file_offset;
            report_progress(in);
            int rc = in->tee != NULL ? in->tee(in->tee_context, slot.chunk) : 0;
            if (rc == 0)
                *out = slot.chunk;
            return rc == 0 ? 0 : end_by_tee(in, slot.chunk, rc);
        }
        trace_chunk_unref(slot.chunk);
    }
    return in->final.code == 0 ? 0 : trace_error_prefix(trace_error_restore(&in->final), "%s", in->path);
}

int trace_input_read(struct trace_input *in, void *bytes, size_t count, size_t *got)
{
    uint8_t *p = bytes;
    *got = 0;
    while (*got < count) {
        if (in->partial == NULL) {
            int rc = trace_input_next_chunk(in, &in->partial);
            if (rc != 0 && *got == 0)
                return rc;
            if (in->partial == NULL)
                return 0; /* the error is returned by the next read */
            in->partial_used = 0;
        }
        size_t rest = in->partial->len - in->partial_used;
        size_t n = rest < count - *got ? rest : count - *got;
        memcpy(p + *got, in->partial->data + in->partial_used, n);
        *got += n;
        in->partial_used += n;
        if (in->partial_used == in->partial->len) {
            trace_chunk_unref(in->partial);
            in->partial = NULL;
        }
    }
    return 0;
}

/* --- opening --------------------------------------------------------------------------------------- */

static bool is_text(const uint8_t *head, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!isprint(head[i]) && !isspace(head[i]))
            return false;
    return true;
}

/* Returns NULL if the file is empty or text. A magic number alone, such as "at", is written by a writer that
 * is killed early. */
static const struct trace_codec *find_codec(struct trace_file *file, const uint8_t *head, size_t count,
                                            bool *by_mark)
{
    enum trace_codec_bid bid;
    const struct trace_codec *codec = trace_codec_find(file, head, count, &bid);
    *by_mark = bid > TRACE_CODEC_BID_ANYTHING;
    return count == 0 || (is_text(head, count) && !(*by_mark && count <= MARK_BYTES)) ? NULL : codec;
}

bool trace_input_accepts(const struct trace_probe *probe, bool *by_mark)
{
    struct trace_file file = probe->file;
    const struct trace_codec *codec =
        probe->is_directory ? NULL : find_codec(&file, probe->head, probe->head_count, by_mark);
    *by_mark = codec != NULL && *by_mark;
    return codec != NULL;
}

static int choose_codec(struct trace_input *in, const struct trace_probe *probe)
{
    size_t count = probe->head_count;
    if (count == 0)
        return trace_error_set(TRACE_ERR_FORMAT, "not a trace: the file is empty");
    in->codec = find_codec(&in->file, probe->head, count, &in->has_mark);
    if (in->codec == NULL)
        return trace_error_set(TRACE_ERR_FORMAT, "not a trace: it is a text file");
    if (!in->has_mark && count < 3)
        return trace_error_set(TRACE_ERR_FORMAT, "not a trace: the file has only %zu byte%s", count,
                               count == 1 ? "" : "s");
    return 0;
}

/* An unusable index is treated like a missing one. */
static void open_index(struct trace_input *in)
{
    uint64_t end = in->codec->index_end != NULL ? in->codec->index_end(in->state) : in->file.size;
    if (trace_index_open(&in->index, &in->file, in->codec->index_wrap, end) != 0)
        snprintf(in->index_problem, sizeof in->index_problem, "%s", trace_error_message());
}

static int begin_input(struct trace_input *in, const struct trace_probe *probe)
{
    in->path = strdup(probe->name);
    int rc = in->path == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory")
                              : trace_chunk_pool_new(&in->pool);
    if (rc == 0 && probe->is_directory)
        rc = trace_error_set(TRACE_ERR_IO, "cannot read: it is a directory");
    if (rc == 0)
        rc = choose_codec(in, probe);
    in->saves_memory = probe->saves_memory;
    if (in->saves_memory)
        in->compressed = COMPRESSED_DROPPED;
    if (rc == 0 && in->file.size >= FULL_CHUNK && !in->saves_memory)
        trace_chunk_pool_expect_full(in->pool);
    return rc == 0 ? in->codec->reader_open(&in->state, &in->file) : rc;
}

int trace_input_open_probed(struct trace_input **out, struct trace_probe *probe)
{
    struct trace_input *in = calloc(1, sizeof *in);
    if (in == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    in->file = probe->file;
    pthread_mutex_init(&in->lock, NULL);
    pthread_cond_init(&in->produced, NULL);
    pthread_cond_init(&in->consumed, NULL);
    int rc = begin_input(in, probe);
    if (rc != 0) {
        in->file.fd = -1; /* the probe still owns it */
        trace_input_close(in);
        return trace_error_prefix(rc, "%s", probe->name);
    }
    trace_probe_take_file(probe, &in->file);
    open_index(in);
    *out = in;
    return 0;
}

int trace_input_open(struct trace_input **out, const char *path)
{
    struct trace_probe probe;
    int rc = trace_probe_open(&probe, path);
    if (rc == 0)
        rc = trace_input_open_probed(out, &probe);
    trace_probe_close(&probe);
    return rc;
}

void trace_input_close(struct trace_input *in)
{
    if (in == NULL)
        return;
    trace_input_stop_workers(in);
    trace_chunk_unref(in->partial);
    buf_fini(&in->scratch);
    if (in->state != NULL)
        in->codec->reader_close(in->state);
    if (in->pool != NULL)
        trace_chunk_pool_free(in->pool);
    trace_index_close(in->index);
    free(in->noted.entries);
    trace_file_close(&in->file);
    pthread_cond_destroy(&in->consumed);
    pthread_cond_destroy(&in->produced);
    pthread_mutex_destroy(&in->lock);
    free(in->path);
    free(in);
}

void trace_input_resume_after_damage(struct trace_input *in)
{
    in->resumes = in->codec->independent;
}

const struct trace_codec *trace_input_codec(const struct trace_input *in)
{
    return in->codec;
}

void trace_input_set_progress(struct trace_input *in, struct trace_progress_callback w)
{
    in->progress = w;
    report_progress(in);
}

void trace_input_keep_compressed(struct trace_input *in)
{
    pthread_mutex_lock(&in->lock); /* workers may be running */
    if (in->compressed == COMPRESSED_UNDECIDED)
        in->compressed = COMPRESSED_KEPT;
    pthread_cond_broadcast(&in->consumed);
    pthread_mutex_unlock(&in->lock);
}

const char *trace_input_path(const struct trace_input *in)
{
    return in->path;
}

const char *trace_input_container(const struct trace_input *in)
{
    return in->codec->name;
}

uint64_t trace_input_file_size(const struct trace_input *in)
{
    return in->file.is_pipe ? in->file.position : in->file.size;
}

bool trace_input_has_mark(const struct trace_input *in)
{
    return in->has_mark;
}

bool trace_input_has_chunks(const struct trace_input *in)
{
    return in->codec->independent;
}

struct trace_chunk_pool *trace_input_pool(struct trace_input *in)
{
    return in->pool;
}
