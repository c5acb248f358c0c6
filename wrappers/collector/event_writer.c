/* SPDX-License-Identifier: MIT */
#include "collector/event_writer.h"

#include "base/error.h"

#include <stdio.h>

static void note_failure(struct event_writer *w, int status)
{
    if (status == 0 || w->status != 0)
        return;
    w->status = status;
    snprintf(w->message, sizeof w->message, "%s", error_message());
}

/* One step of the thread, with the lock held: true when there was something to do. */
static bool write_next(struct event_writer *w)
{
    if (w->filled == 0 && !w->flush)
        return false;
    struct buf *slot = w->filled > 0 ? &w->slots[w->first] : NULL;
    bool failed = w->status != 0;
    if (slot == NULL)
        w->flush = false;
    pthread_mutex_unlock(&w->lock);
    int rc = 0;
    if (!failed)
        rc = slot != NULL ? trace_output_write(w->output, slot->data, slot->len)
                          : trace_output_flush(w->output);
    pthread_mutex_lock(&w->lock);
    note_failure(w, rc);
    if (slot != NULL) {
        buf_clear(slot);
        w->first = (w->first + 1) % EVENT_WRITER_SLOTS;
        w->filled--;
    }
    pthread_cond_broadcast(&w->changed);
    return true;
}

static void *run_writer(void *argument)
{
    struct event_writer *w = argument;
    pthread_mutex_lock(&w->lock);
    while (write_next(w) || !w->end)
        if (w->filled == 0 && !w->flush && !w->end)
            pthread_cond_wait(&w->changed, &w->lock);
    int rc = trace_output_close(w->output);
    note_failure(w, rc);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

int event_writer_start(struct event_writer *w, int fd)
{
    *w = (struct event_writer){.status = 0};
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    int rc = trace_output_open_fd(&w->output, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0);
    if (rc == 0 && pthread_create(&w->thread, NULL, run_writer, w) != 0) {
        trace_output_close(w->output);
        rc = error_set(ERR_MEMORY, "cannot start a thread");
    }
    return rc;
}

int event_writer_submit(struct event_writer *w, struct buf *events)
{
    pthread_mutex_lock(&w->lock);
    while (w->filled == EVENT_WRITER_SLOTS)
        pthread_cond_wait(&w->changed, &w->lock);
    struct buf *slot = &w->slots[(w->first + w->filled) % EVENT_WRITER_SLOTS];
    struct buf spare = *slot;
    *slot = *events;
    *events = spare;
    w->filled++;
    int rc = w->status;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return rc == 0 ? 0 : error_set(rc, "%s", w->message);
}

void event_writer_flush(struct event_writer *w)
{
    pthread_mutex_lock(&w->lock);
    w->flush = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

int event_writer_finish(struct event_writer *w)
{
    pthread_mutex_lock(&w->lock);
    w->end = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    for (unsigned i = 0; i < EVENT_WRITER_SLOTS; ++i)
        buf_fini(&w->slots[i]);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    return w->status == 0 ? 0 : error_set(w->status, "%s", w->message);
}
