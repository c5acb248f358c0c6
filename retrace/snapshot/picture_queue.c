/* SPDX-License-Identifier: MIT */
#include "snapshot/picture_queue.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/first_error.h"
#include "base/worker_thread.h"

enum {
    MOST_THREADS = 16,
    WAITING = 2, /* for each thread: pictures that are not being encoded */
};

/* A picture, and its file. */
struct picture_job {
    struct snapshot_picture picture;
    FILE *file;
    char *path;
    bool is_done;
    struct trace_kept_error error; /* code 0: it is written */
};

/* Jobs are in a ring. Numbers of jobs count from 0 on; job n is in slot n % room. */
struct picture_queue {
    pthread_t threads[MOST_THREADS];
    unsigned thread_count;
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t added, done;
    struct picture_job *jobs;
    size_t room;
    uint64_t reported, taken, count; /* numbers of jobs: not printed yet, not taken yet, not there yet */
    bool is_closed;
    struct png_encoder encoder; /* without threads */
};

/* --- one picture ----------------------------------------------------------------------------------- */

static int encode(struct picture_job *job, struct png_encoder *e)
{
    struct stat status;
    bool regular = fstat(fileno(job->file), &status) == 0 && S_ISREG(status.st_mode);
    snapshot_picture_prepare(&job->picture);
    int rc = snapshot_picture_write_png(&job->picture, e, job->file);
    if (rc != 0)
        trace_error_prefix(rc, "%s", job->path);
    if (fclose(job->file) != 0 && rc == 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s", job->path);
    if (rc != 0 && regular) /* devices and pipes must not be removed */
        remove(job->path);
    snapshot_picture_fini(&job->picture);
    return rc;
}

static void finish_job(struct picture_job *job, struct png_encoder *e)
{
    trace_error_keep(&job->error, encode(job, e));
}

static void *run_thread(void *argument)
{
    struct picture_queue *q = argument;
    struct png_encoder encoder = {0};
    pthread_mutex_lock(&q->mutex);
    for (;;) {
        while (q->taken == q->count && !q->is_closed)
            pthread_cond_wait(&q->added, &q->mutex);
        if (q->taken == q->count)
            break;
        struct picture_job *job = &q->jobs[q->taken++ % q->room];
        pthread_mutex_unlock(&q->mutex);
        finish_job(job, &encoder);
        pthread_mutex_lock(&q->mutex);
        job->is_done = true;
        pthread_cond_signal(&q->done);
    }
    pthread_mutex_unlock(&q->mutex);
    png_encoder_fini(&encoder);
    return NULL;
}

/* --- the queue ------------------------------------------------------------------------------------- */

/* Waits for the oldest job, prints that it is written, and frees its slot. The mutex is locked. */
static int report_oldest(struct picture_queue *q)
{
    struct picture_job *job = &q->jobs[q->reported % q->room];
    while (!job->is_done)
        pthread_cond_wait(&q->done, &q->mutex);
    q->reported++;
    if (job->error.code == 0)
        printf("Wrote %s\n", job->path);
    else
        trace_error_restore(&job->error);
    free(job->path);
    return job->error.code;
}

/* Reports what is written, and frees a slot if there is none. */
static int make_room(struct picture_queue *q)
{
    int rc = 0;
    while (q->reported < q->count &&
           (q->count - q->reported == q->room || q->jobs[q->reported % q->room].is_done))
        rc = first_error(rc, report_oldest(q));
    return rc;
}

int picture_queue_open(struct picture_queue **out, unsigned threads)
{
    struct picture_queue *q = calloc(1, sizeof *q);
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    size_t room = threads * (1 + WAITING) + 1;
    if (q != NULL)
        q->jobs = calloc(room, sizeof *q->jobs);
    if (q == NULL || q->jobs == NULL) {
        free(q);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for pictures");
    }
    q->room = room;
    pthread_mutex_init(&q->mutex, NULL);
    pthread_cond_init(&q->added, NULL);
    pthread_cond_init(&q->done, NULL);
    while (q->thread_count < threads && worker_thread_start(&q->threads[q->thread_count], run_thread, q) == 0)
        q->thread_count++;
    *out = q;
    return 0;
}

int picture_queue_add(struct picture_queue *q, struct snapshot_picture *p, const char *path)
{
    struct picture_job job = {.picture = *p, .path = strdup(path)};
    *p = (struct snapshot_picture){.image = {0}};
    int rc = 0;
    if (job.path == NULL)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory for pictures");
    else if ((job.file = fopen(path, "wb")) == NULL)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    if (rc != 0) {
        snapshot_picture_fini(&job.picture);
        free(job.path);
        return rc;
    }
    pthread_mutex_lock(&q->mutex);
    rc = make_room(q);
    struct picture_job *slot = &q->jobs[q->count++ % q->room];
    *slot = job;
    if (q->thread_count == 0) { /* nobody else encodes it */
        finish_job(slot, &q->encoder);
        slot->is_done = true;
        rc = first_error(rc, make_room(q));
    }
    pthread_cond_signal(&q->added);
    pthread_mutex_unlock(&q->mutex);
    return rc;
}

int picture_queue_close(struct picture_queue *q)
{
    int rc = 0;
    if (q == NULL)
        return 0;
    pthread_mutex_lock(&q->mutex);
    q->is_closed = true;
    pthread_cond_broadcast(&q->added);
    while (q->reported < q->count)
        rc = first_error(rc, report_oldest(q));
    pthread_mutex_unlock(&q->mutex);
    for (unsigned i = 0; i < q->thread_count; ++i)
        pthread_join(q->threads[i], NULL);
    pthread_cond_destroy(&q->done);
    pthread_cond_destroy(&q->added);
    pthread_mutex_destroy(&q->mutex);
    png_encoder_fini(&q->encoder);
    free(q->jobs);
    free(q);
    return rc;
}
