/* SPDX-License-Identifier: MIT
 * One traced process: its segment, its trace file, and the thread between them.
 */
#ifndef COLLECTOR_SESSION_H
#define COLLECTOR_SESSION_H

#include "collector/event_writer.h"
#include "record_merger.h"

#include <limits.h>
#include <pthread.h>
#include <sys/types.h>

struct session {
    pid_t pid;
    int pid_fd; /* readable once the process has ended; -1: unknown */
    struct segment segment;
    struct record_encoder encoder;
    struct record_merger merger;
    struct event_writer writer;
    int file;
    char name[PATH_MAX];   /* of the trace file */
    _Atomic bool replaced; /* the process has exec'ed another program */
    _Atomic bool *stop;    /* the collector's: end without waiting for the process */
    int status;            /* 0 or the error that ended it */
    pthread_t thread;
    struct session *next;
};

/* Starts a session for the process pid, whose segment is behind segment_fd (taken over); file is the open
 * trace file called name (taken over). The caller owns *out: session_join(). */
int session_start(struct session **out, pid_t pid, int segment_fd, int file, const char *name,
                  const char *program, const char *arguments, _Atomic bool *stop);

/* Waits for the session's end and frees it; returns its status, the message already printed. */
int session_join(struct session *s);

#endif
