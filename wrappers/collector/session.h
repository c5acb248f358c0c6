/* SPDX-License-Identifier: MIT
 * One traced process: its segment, its trace file, and the thread between them.
 */
#ifndef COLLECTOR_SESSION_H
#define COLLECTOR_SESSION_H

#include "collector/event_index.h"
#include "collector/life_mark.h"
#include "collector/losses.h"
#include "records/record_merger.h"
#include "formats/apitrace/container/container.h"

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/types.h>

struct session {
    pid_t pid;
    int pid_fd; /* readable once the process has ended; -1: unknown */
    struct segment segment;
    struct record_encoder encoder;
    struct record_merger merger;
    int64_t asked_for_idle;      /* milliseconds; record_merger_ask_for_idle() */
    struct trace_output *output; /* compresses and writes in a thread of its own */
    struct event_index index;
    int file;
    char name[PATH_MAX];   /* of the trace file */
    _Atomic bool replaced; /* the process has exec'ed another program */
    _Atomic bool *stop;    /* the collector's: end without waiting for the process */
    int status;            /* 0 or the error that ended the file */
    struct losses losses;
    _Atomic bool finished; /* the thread has ended, or is about to */
    bool joined;           /* nothing is left but name, status and losses */
    struct life_mark life;
    sem_t ready; /* the thread has set its mark */
    pthread_t thread;
    struct session *next;
};

/* What a session is about. */
struct session_options {
    pid_t pid;      /* the process */
    int segment_fd; /* its segment; taken over */
    int file;       /* the open trace file; taken over */
    const char *name;
    const char *program, *arguments; /* the trace's properties */
    _Atomic bool *stop;              /* as in struct session */
    enum capture_clock clock;        /* what stamps its records */
    struct tick_pair early;          /* an old measurement of that clock */
};

/* The caller owns *out: session_join(). */
int session_start(struct session **out, const struct session_options *options);

/* If the session has ended, frees what it holds. Does not wait. */
void session_reap(struct session *s);

/* If the session's process has ended: waits until its trace is written, frees what the session holds, and
 * returns true. False if the process goes on, or the session was freed before. */
bool session_join_ended(struct session *s);

struct session_result {
    int status; /* 0 or an error, which has been printed */
    bool lost;  /* not all calls are in the trace; printed as well */
    bool kept;  /* there is a file */
};

/* Waits for the session's end and frees it. */
void session_join(struct session *s, struct session_result *result);

#endif
