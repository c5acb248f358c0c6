/* SPDX-License-Identifier: MIT */
#include "collector/flight/flight_feed.h"

#include "base/error.h"
#include "base/varint.h"
#include "base/worker_thread.h"
#include "base/write_all.h"
#include "formats/apitrace/container/codecs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* The number of a leave event is replaced: the calls of the state are numbered one after the other. */
static int add_state_call(struct buf *out, const struct flight_call *call, uint64_t number)
{
    const uint8_t *enter = (const uint8_t *)(call + 1), *leave = enter + call->enter_size;
    const uint8_t *end = leave + call->leave_size;
    uint8_t head[1 + VARINT_MAX_BYTES] = {TRACE_RAW_EVENT_LEAVE};
    uint64_t old;
    int skipped = varint_get(leave + 1, end, &old);
    if (skipped <= 0)
        return 0;
    size_t size = 1 + varint_put(head + 1, number);
    int rc = buf_append(out, enter, call->enter_size);
    if (rc == 0)
        rc = buf_append(out, head, size);
    return rc != 0 ? rc : buf_append(out, leave + 1 + skipped, (size_t)(end - leave - 1 - skipped));
}

static int put_start(struct flight_feed *f)
{
    static const uint8_t header[] = {TRACE_FORMAT_VERSION, TRACE_FORMAT_VERSION, 0};
    const struct flight_snapshot *s = f->snapshot;
    uint64_t number = s->first_call - s->state_calls;
    int rc = buf_append(&f->start, header, sizeof header);
    for (size_t at = 0; at < s->state.len && rc == 0;) {
        const struct flight_call *call = (const struct flight_call *)(s->state.data + at);
        rc = add_state_call(&f->start, call, number++);
        at += flight_call_size(call);
    }
    return rc == 0 ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
}

/* --- the pipe --------------------------------------------------------------------------------------- */

static int write_start(const struct flight_feed *f, const struct trace_block_codec *codec)
{
    void *compressor = NULL;
    struct buf room = BUF_INIT;
    int level = f->snapshot->level;
    int rc = trace_codec_check_level(f->snapshot->container, &level);
    if (rc == 0)
        rc = codec->open(&compressor, level);
    if (rc != 0)
        return rc;
    if (buf_reserve(&room, codec->compressed_max()) != 0)
        rc = TRACE_ERR_MEMORY;
    for (size_t at = 0; at < f->start.len && rc == 0; at += codec->block_size) {
        size_t rest = f->start.len - at;
        struct trace_block block = {.bytes = f->start.data + at,
                                    .size = rest < codec->block_size ? rest : codec->block_size,
                                    .compressed = room.data};
        rc = codec->compress(compressor, &block);
        if (rc == 0)
            rc = write_all(f->fd, block.compressed, block.length);
    }
    codec->close(compressor);
    buf_fini(&room);
    return rc;
}

/* If the reader has given up, nobody needs the rest. */
static void *run_feed(void *argument)
{
    struct flight_feed *f = argument;
    const struct flight_snapshot *s = f->snapshot;
    const struct trace_block_codec *codec = trace_codec_of(s->container)->blocks;
    sigset_t pipe_signal;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, NULL);
    int rc = write_all(f->fd, codec->prologue, codec->prologue_size);
    if (rc == 0)
        rc = write_start(f, codec);
    for (size_t i = 0; i < s->chunk_count && rc == 0; ++i)
        rc = write_all(f->fd, s->chunks[i]->blocks.data, s->chunks[i]->blocks.len);
    close(f->fd);
    f->fd = -1;
    return NULL;
}

static int define_all(const struct flight_snapshot *s, struct trace_raw_events *e)
{
    int rc = 0;
    for (size_t at = 0; at < s->signatures.len && rc == 0;) {
        const struct flight_definition *d = (const struct flight_definition *)(s->signatures.data + at);
        rc = trace_raw_events_define(e, d->kind, (const uint8_t *)(d + 1), d->size);
        at += flight_definition_size(d);
    }
    return rc;
}

static int open_pipe(struct flight_feed *f, struct trace_raw_events **out)
{
    int ends[2];
    char path[40];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot make a pipe");
    f->fd = ends[1];
    f->has_thread = worker_thread_start(&f->thread, run_feed, f) == 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    int rc = f->has_thread ? trace_raw_events_open(out, path, true)
                           : trace_error_set(TRACE_ERR_MEMORY, "cannot start a thread");
    close(ends[0]);
    return rc;
}

int flight_feed_open(struct flight_feed *f, const struct flight_snapshot *snapshot,
                     struct trace_raw_events **out)
{
    *f = (struct flight_feed){.snapshot = snapshot, .fd = -1};
    *out = NULL;
    int rc = put_start(f);
    if (rc == 0)
        rc = open_pipe(f, out);
    if (rc != 0)
        return rc;
    trace_raw_events_number_from(*out, snapshot->first_call - snapshot->state_calls);
    return define_all(snapshot, *out);
}

void flight_feed_fini(struct flight_feed *f)
{
    if (f->has_thread)
        pthread_join(f->thread, NULL);
    if (f->fd >= 0)
        close(f->fd);
    buf_fini(&f->start);
}
