/* SPDX-License-Identifier: MIT
 * Declarations that input.c and input_index.c share.
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
/* Chunks decompressed ahead in addition to one per worker; more would cost time for new memory. */
#define SPARE 2
#define SLOTS (MAX_WORKERS + SPARE)

/* A chunk on its way from a worker to the consumer. */
struct slot {
    bool ready;
    bool end;                      /* no chunk: the end of the stream */
    bool keeps_compressed;         /* the chunk keeps its compressed bytes */
    struct trace_kept_error error; /* if set, the stream ends with it after the chunk */
    struct trace_chunk *chunk;     /* may be NULL at an error or at the end */
};

/* What happens to the compressed bytes of chunks. The first chunks are decompressed before this is decided,
 * and keep them. Otherwise a copy would depend on the timing of the threads. */
enum compressed_bytes { COMPRESSED_UNDECIDED, COMPRESSED_KEPT, COMPRESSED_DROPPED };

struct trace_input {
    char *path;
    struct trace_file file;
    const struct trace_codec *codec;
    bool has_mark;
    void *state;
    struct trace_chunk_pool *pool;

    struct trace_index *index; /* NULL: none, or unusable */
    char index_problem[128];   /* why the index cannot be used */

    unsigned worker_count; /* 0: the consumer decompresses chunks itself */
    bool saves_memory;     /* trace_input_read_on() says when a chunk is decompressed ahead */
    unsigned ahead;        /* how many chunks the workers may be ahead of the consumer */
    pthread_t workers[MAX_WORKERS];
    pthread_mutex_t lock;    /* protects all members below, and codec->reader_claim() */
    pthread_cond_t produced; /* a slot became ready */
    pthread_cond_t consumed; /* a slot became free, or the workers must stop */
    bool stopping;
    bool all_claimed;       /* the last job was assigned */
    uint64_t claimed;       /* number of jobs assigned; job i uses slot i % SLOTS */
    uint64_t taken;         /* number of chunks taken by the consumer */
    uint64_t allowed;       /* if memory is saved: number of chunks that may be claimed */
    uint64_t claimed_bytes; /* file offset of the end of the last job, if chunks are independent */
    enum compressed_bytes compressed;
    struct slot slots[SLOTS];

    /* The following members are only used by the consumer. */
    bool has_taken; /* the consumer has taken a chunk or the end */
    struct trace_progress_callback progress;
    uint64_t seen; /* file offset of the last chunk */
    struct buf scratch;
    unsigned alone;      /* number of chunks taken since the last seek, as long as no worker runs */
    trace_input_tee tee; /* NULL: none */
    void *tee_context;
    bool noting;
    struct trace_chunk_list noted;
    uint64_t noted_bytes; /* total size of the recorded chunks in the stream */
    bool resumes;         /* reading continues after damaged chunks */
    bool ended;
    struct trace_kept_error final; /* why, if it has ended */
    struct trace_chunk *partial;   /* chunk that trace_input_read() has not consumed completely */
    size_t partial_used;
};

/* Stops the worker threads and discards the chunks that they have decompressed. */
void trace_input_stop_workers(struct trace_input *in);

#endif
