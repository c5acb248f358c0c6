/* SPDX-License-Identifier: MIT
 * What input.c and input_index.c share.
 */
#ifndef TRACE_INPUT_STATE_H
#define TRACE_INPUT_STATE_H

#include "base/error.h"
#include "formats/apitrace/container/codec.h"
#include "formats/apitrace/read/input.h"
#include "formats/apitrace/index/index_reader.h"
#include "trace/probe.h"

#include <pthread.h>

#define MAX_WORKERS 4
#define SPARE       2 /* chunks decompressed ahead, beside one a worker: fresh memory costs time, too */
#define SLOTS       (MAX_WORKERS + SPARE)

/* One chunk on its way from a worker to the consumer. */
struct slot {
    bool ready;
    bool end;                      /* no chunk: the stream has ended */
    bool keeps_compressed;         /* the chunk keeps its compressed bytes */
    struct trace_kept_error error; /* the stream ends with it after the chunk */
    struct trace_chunk *chunk;     /* may be NULL if there is an error or the end */
};

/* What becomes of chunks' compressed bytes. The first chunks are decompressed before that is known: those
 * keep them, lest a copy depend on how far a thread was. */
enum compressed_bytes { COMPRESSED_UNDECIDED, COMPRESSED_KEPT, COMPRESSED_DROPPED };

struct trace_input {
    char *path;
    struct trace_file file;
    const struct trace_codec *codec;
    bool has_mark;
    void *state;
    struct trace_chunk_pool *pool;

    struct trace_index *index; /* or NULL */
    char index_problem[128];   /* why there is none although there is one */

    unsigned worker_count; /* 0: the consumer decompresses itself */
    unsigned ahead;        /* chunks that they may be ahead of the consumer */
    pthread_t workers[MAX_WORKERS];
    pthread_mutex_t lock;    /* protects all below, and codec->reader_claim() */
    pthread_cond_t produced; /* a slot became ready */
    pthread_cond_t consumed; /* a slot became free, or the workers shall stop */
    bool stopping;
    bool all_claimed;       /* the last job was given out */
    uint64_t claimed;       /* jobs given out; job i uses slot i % SLOTS */
    uint64_t taken;         /* chunks handed to the consumer */
    uint64_t claimed_bytes; /* of the file, up to the end of the last job, where these are independent */
    enum compressed_bytes compressed;
    struct slot slots[SLOTS];

    /* Consumer only. */
    bool has_taken; /* a chunk, or the end */
    struct trace_progress_callback progress;
    uint64_t seen; /* bytes of the file before the last chunk */
    struct buf scratch;
    unsigned alone;      /* chunks taken since reading began here, while there is no worker */
    trace_input_tee tee; /* or NULL */
    void *tee_context;
    bool noting;
    struct trace_chunk_list noted;
    uint64_t noted_bytes; /* of the stream */
    bool resumes;         /* after damaged chunks */
    bool ended;
    struct trace_kept_error final;
    struct trace_chunk *partial; /* trace_input_read() */
    size_t partial_used;
};

/* Ends the threads that decompress ahead, and forgets what they did. */
void trace_input_stop_workers(struct trace_input *in);

#endif
