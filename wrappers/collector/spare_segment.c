/* SPDX-License-Identifier: MIT */
#include "collector/spare_segment.h"

#include "collector/life_mark.h"
#include "process/process_description.h"
#include "records/shared_ring.h"

#include "base/error.h"
#include "base/worker_thread.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#define NOBODY  UINT32_MAX /* stands for a process id when no process can claim the segment any more */
#define WAIT_MS 60000

struct spare_segments {
    const char *socket_path;
    char path[PATH_MAX]; /* the path by which processes find the current segment */
    struct segment present;
    pthread_mutex_t lock; /* protects `present` and `stopped` */
    bool stopped;
    struct life_mark life;
    pthread_t thread;
};

/* Replaces the previous segment at the path atomically. */
static int publish(const struct spare_segments *s)
{
    char target[64], next[PATH_MAX + 8];
    snprintf(target, sizeof target, "/proc/%d/fd/%d", (int)getpid(), s->present.fd);
    snprintf(next, sizeof next, "%s.next", s->path);
    if (symlink(target, next) != 0 || rename(next, s->path) != 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot make a link", next);
    return 0;
}

static int make_next(struct spare_segments *s)
{
    int rc = segment_create(&s->present, RING_LIMIT);
    if (rc == 0 && (rc = publish(s)) != 0)
        segment_fini(&s->present);
    return rc;
}

/* Sends the hello that the process would have sent. */
static bool announce(const struct spare_segments *s, uint32_t pid)
{
    struct connection_hello hello = {.magic = CONNECTION_MAGIC, .pid = pid};
    struct connection_reply reply;
    char directory[32];
    snprintf(directory, sizeof directory, "/proc/%u", pid);
    uint32_t size = process_describe(&hello, directory);
    return connection_announce(s->socket_path, &hello, size, s->present.fd, &reply) == 0 && reply.accepted;
}

/* Announces the process that has claimed the current segment, and creates the next segment. Returns false
 * when stopped. */
static bool serve_claim(struct spare_segments *s, uint32_t pid)
{
    struct segment claimed = s->present;
    bool accepted = announce(s, pid);
    pthread_mutex_lock(&s->lock);
    s->present = (struct segment){.fd = -1};
    bool more = !s->stopped && make_next(s) == 0;
    if (more)
        life_mark_set(&s->life, s->present.control);
    pthread_mutex_unlock(&s->lock);
    atomic_store(&claimed.control->answer, accepted ? SEGMENT_ACCEPTED : SEGMENT_REFUSED);
    futex_wake(&claimed.control->answer);
    segment_fini(&claimed);
    return more;
}

static void *serve(void *argument)
{
    struct spare_segments *s = argument;
    life_mark_set(&s->life, s->present.control);
    for (;;) {
        _Atomic uint32_t *claimed = &s->present.control->claimed;
        uint32_t pid = atomic_load(claimed);
        if (pid == 0)
            futex_wait(claimed, 0, WAIT_MS);
        else if (pid == NOBODY || !serve_claim(s, pid))
            return NULL;
    }
}

int spare_segments_start(struct spare_segments **out, const char *socket_path)
{
    struct spare_segments *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    s->socket_path = socket_path;
    pthread_mutex_init(&s->lock, NULL);
    const char *slash = strrchr(socket_path, '/');
    snprintf(s->path, sizeof s->path, "%.*s/" CONNECTION_SPARE_NAME, (int)(slash - socket_path), socket_path);
    int rc = make_next(s);
    if (rc == 0 && worker_thread_start(&s->thread, serve, s) != 0) {
        rc = trace_error_set(TRACE_ERR_MEMORY, "cannot start a thread");
        segment_fini(&s->present);
        unlink(s->path);
    }
    if (rc != 0) {
        free(s);
        return rc;
    }
    char filters[16];
    snprintf(filters, sizeof filters, "%u", process_count_filters());
    setenv(CONNECTION_FILTERS_ENVIRONMENT, filters, 1);
    *out = s;
    return 0;
}

void spare_segments_stop(struct spare_segments *s)
{
    if (s == NULL)
        return;
    pthread_mutex_lock(&s->lock);
    s->stopped = true;
    if (s->present.control != NULL) {
        uint32_t unclaimed = 0;
        atomic_compare_exchange_strong(&s->present.control->claimed, &unclaimed, NOBODY);
        futex_wake(&s->present.control->claimed);
    }
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    segment_fini(&s->present);
    unlink(s->path);
    pthread_mutex_destroy(&s->lock);
    free(s);
}
