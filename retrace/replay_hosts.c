/* SPDX-License-Identifier: MIT */
#include "replay_hosts.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/worker_thread.h"
#include "objects/replay_context.h"

struct hosts;

struct host {
    struct hosts *all;
    uint32_t number; /* of the traced thread */
    pthread_t thread;
    pthread_cond_t turn;           /* signalled when it is this one's turn, or when the replay has ended */
    struct replay_thread *release; /* its bindings are to be released, then it is `asking`'s turn again */
    struct host *asking;
    struct host *next;
};

struct hosts {
    struct replayer *r;
    replay_run run;
    void *context;
    pthread_mutex_t mutex;
    struct host *active; /* whose turn it is; protected by mutex, likewise below */
    bool ended;
    struct trace_kept_error error;
    struct host main; /* the first of the list */
};

/* --- whose turn it is ------------------------------------------------------------------------------- */

/* Each function is called with the mutex locked. */

static void hand_over(struct hosts *all, struct host *to)
{
    all->active = to;
    pthread_cond_signal(&to->turn);
}

static void release(struct replayer *r, struct replay_thread *t)
{
    if (t->bound)
        r->ws->ops->make_current(r->ws, NULL, NULL, NULL);
    t->bound = false;
}

/* Waits until it is this host's turn to replay. Returns false if the replay has ended. */
static bool wait_for_turn(struct host *h)
{
    struct hosts *all = h->all;
    for (;;) {
        while (all->active != h && !all->ended)
            pthread_cond_wait(&h->turn, &all->mutex);
        if (all->active != h || h->release == NULL)
            return !all->ended;
        release(all->r, h->release);
        h->release = NULL;
        hand_over(all, h->asking);
    }
}

static void end(struct hosts *all, int rc)
{
    if (rc != 0)
        trace_error_keep(&all->error, rc);
    all->ended = true;
    for (struct host *h = &all->main; h != NULL; h = h->next)
        pthread_cond_signal(&h->turn);
}

/* --- hosts ------------------------------------------------------------------------------------------ */

static struct host *find(struct hosts *all, uint32_t number)
{
    struct host *h = &all->main;
    while (h != NULL && h->number != number)
        h = h->next;
    return h;
}

static void *replay_thread(void *argument);

static int add(struct hosts *all, uint32_t number, struct host **out)
{
    struct host *h = calloc(1, sizeof *h);
    if (h == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a thread");
    h->all = all;
    h->number = number;
    pthread_cond_init(&h->turn, NULL);
    int failed = worker_thread_start(&h->thread, replay_thread, h);
    if (failed != 0) {
        pthread_cond_destroy(&h->turn);
        free(h);
        return trace_error_set_errno(TRACE_ERR_MEMORY, failed, "cannot start a thread");
    }
    h->next = all->main.next;
    all->main.next = h;
    *out = h;
    return 0;
}

/* Hands over to the host of another traced thread. */
static int pass_on(struct hosts *all, uint32_t number)
{
    struct host *h = find(all, number);
    int rc = h != NULL ? 0 : add(all, number, &h);
    if (rc != 0)
        return rc;
    replay_leave_thread(all->r);
    hand_over(all, h);
    return 0;
}

/* Replays whenever it is this host's turn, until the replay has ended. */
static void replay_turns(struct host *h)
{
    struct hosts *all = h->all;
    pthread_mutex_lock(&all->mutex);
    while (wait_for_turn(h)) {
        uint32_t next = h->number;
        int rc = 0;
        pthread_mutex_unlock(&all->mutex);
        bool goes_on = all->run(all->r, all->context, &next, &rc);
        pthread_mutex_lock(&all->mutex);
        if (goes_on)
            rc = pass_on(all, next);
        if (!goes_on || rc != 0)
            end(all, rc);
    }
    pthread_mutex_unlock(&all->mutex);
}

/* What this thread has bound when the replay has ended. */
static void release_own(struct host *h)
{
    struct hosts *all = h->all;
    pthread_mutex_lock(&all->mutex);
    struct replay_thread *t = replay_find_thread(all->r, h->number);
    if (t != NULL && t->bound && all->r->current == t->context) {
        replay_leave_thread(all->r);
        all->r->current = NULL;
    }
    if (t != NULL)
        release(all->r, t);
    pthread_mutex_unlock(&all->mutex);
}

static void *replay_thread(void *argument)
{
    struct host *h = argument;
    replay_turns(h);
    release_own(h);
    return NULL;
}

/* Releases what another thread has bound, because this one needs it. */
static void release_in_other(struct replayer *r, struct replay_thread *t)
{
    struct hosts *all = r->hosts;
    pthread_mutex_lock(&all->mutex);
    struct host *own = all->active, *other = find(all, t->number);
    if (other != NULL && other != own) {
        other->release = t;
        other->asking = own;
        hand_over(all, other);
        while (all->active != own)
            pthread_cond_wait(&own->turn, &all->mutex);
    }
    pthread_mutex_unlock(&all->mutex);
}

int replay_hosts_run(struct replayer *r, uint32_t first, replay_run run, void *context)
{
    struct hosts all = {.r = r, .run = run, .context = context, .main = {.all = &all, .number = first}};
    pthread_mutex_init(&all.mutex, NULL);
    pthread_cond_init(&all.main.turn, NULL);
    all.active = &all.main;
    r->hosts = &all;
    r->release_thread = release_in_other;
    replay_turns(&all.main);
    for (struct host *h = all.main.next, *next; h != NULL; h = next) {
        next = h->next;
        pthread_join(h->thread, NULL);
        pthread_cond_destroy(&h->turn);
        free(h);
    }
    r->release_thread = NULL;
    r->hosts = NULL;
    pthread_cond_destroy(&all.main.turn);
    pthread_mutex_destroy(&all.mutex);
    return trace_error_restore(&all.error);
}
