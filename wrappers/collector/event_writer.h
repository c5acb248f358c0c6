/* SPDX-License-Identifier: MIT
 * Compresses and writes a session's events in a thread of its own, so that encoding does not wait for it.
 */
#ifndef COLLECTOR_EVENT_WRITER_H
#define COLLECTOR_EVENT_WRITER_H

#include "base/buf.h"
#include "trace/container.h"

#include <pthread.h>
#include <stdbool.h>

#define EVENT_WRITER_SLOTS 3

struct event_writer {
    struct trace_output *output; /* the thread's, once it runs */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct buf slots[EVENT_WRITER_SLOTS]; /* a ring: filled ones from first on, the others are spare memory */
    unsigned first, filled;
    bool flush; /* end the chunk when all slots are written */
    bool end;
    int status; /* of the first failure */
    char message[256];
};

/* Starts writing a Snappy trace to fd (borrowed). */
int event_writer_start(struct event_writer *w, int fd);

/* Takes the contents of events, which becomes empty; waits while all slots are filled. Returns the error of
 * an earlier write. */
int event_writer_submit(struct event_writer *w, struct buf *events);

/* Has what was submitted so far reach the file. Does not wait for it. */
void event_writer_flush(struct event_writer *w);

/* Writes the rest and ends the thread. */
int event_writer_finish(struct event_writer *w);

#endif
