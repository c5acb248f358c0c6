/* SPDX-License-Identifier: MIT
 * The session of a traced process: its segment, its trace file, and the thread that connects them.
 */
#ifndef COLLECTOR_SESSION_H
#define COLLECTOR_SESSION_H

#include "collector/event_index.h"
#include "collector/flight/flight_recorder.h"
#include "collector/frame_symbols.h"
#include "collector/life_mark.h"
#include "collector/losses.h"
#include "collector/selection.h"
#include "records/record_merger.h"
#include "formats/apitrace/container/container.h"

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/types.h>

struct session {
    pid_t pid;
    int pid_fd; /* readable when the process has ended; -1: not available */
    struct segment segment;
    struct record_encoder encoder;
    struct record_merger merger;
    struct frame_symbols *symbols; /* of backtraces */
    int64_t asked_for_idle;        /* time in milliseconds; see record_merger_ask_for_idle() */
    struct trace_output *output;   /* compresses and writes in a separate thread */
    struct event_index index;
    struct selection selection;
    _Atomic unsigned *dumps; /* belongs to the collector: how often a file was asked for */
    unsigned dumps_seen;
    struct flight_recorder *flight;   /* takes the place of output; NULL: everything is written */
    struct flight_requests *requests; /* to it; NULL: likewise, but it stays until the session is freed */
    int file;                         /* -1: none */
    char name[PATH_MAX];              /* path of the trace file; of the program if there is none */
    _Atomic bool replaced;            /* the process has executed another program */
    _Atomic bool *stop;               /* belongs to the collector: end without waiting for the process */
    enum trace_container container;
    _Atomic uint64_t calls;  /* so far */
    _Atomic uint64_t frames; /* that have ended so far */
    uint64_t bytes;          /* of the complete file */
    int status;              /* 0, or the error that ended the file */
    struct losses losses;
    struct losses_marks marks;
    uint64_t marked;       /* stream offset of the last mark */
    _Atomic bool finished; /* the thread has ended or is about to end */
    bool joined;           /* only name, status and losses are still valid */
    struct life_mark life;
    sem_t ready; /* the thread has set its life mark */
    pthread_t thread;
    struct session *next;
};

/* Options of a session. */
struct session_options {
    pid_t pid;      /* of the process */
    int segment_fd; /* its segment; taken over */
    int file;       /* the open trace file; taken over; -1: none, with `flight` */
    const char *name;
    const char *program, *arguments;      /* for the trace's properties */
    _Atomic bool *stop;                   /* as in struct session */
    enum capture_clock clock;             /* the clock of the records' timestamps */
    bool backtraces;                      /* there will be some */
    const char *const *debug_directories; /* as in struct frame_symbols_options */
    bool verbose;                         /* print what is wrong with the modules of backtraces */
    struct tick_pair early;               /* an early measurement of that clock */
    enum trace_container container;       /* one that consists of blocks */
    int level;                            /* of compression */
    const struct selection_options *selection;
    _Atomic bool *recording; /* see selection_init() */
    _Atomic unsigned *dumps; /* counts what is asked for of all flight recorders by signals */
    const struct flight_setting
        *flight; /* but for encoder and clock; NULL: everything is written to the file */
};

/* Starts a session. The caller owns *out and frees it with session_join(). Errors: TRACE_ERR_IO,
 * TRACE_ERR_MEMORY. */
int session_start(struct session **out, const struct session_options *options);

/* Frees the resources of the session if it has ended. Does not wait. */
void session_reap(struct session *s);

/* If the session's process has ended: waits until its trace is written, frees its resources, and returns
 * true. Returns false if the process still runs, or if the resources were freed before. */
bool session_join_ended(struct session *s);

/* Waits until its trace is written, and frees its resources. */
void session_end(struct session *s);

/* Returns how full the fullest ring of the session is, from 0 to 1. To be called by the thread that calls
 * session_reap(). */
double session_load(const struct session *s);

/* Asks for a file of what the flight recorder has. Returns the number of the request, or 0: the process has
 * ended, and its last file is written. */
uint64_t session_dump(struct session *s, const char *reason);

/* Has the session look at *recording at once. */
void session_notice(struct session *s);

/* Does *recording hold for all calls that the process makes from now on? */
bool session_is_settled(const struct session *s);

/* Has the request been served? The others are as in flight_requests_answered(). */
bool session_has_dumped(const struct session *s, uint64_t request, char *path, size_t size, bool *failed);

struct session_result {
    int status; /* 0, or an error that has been printed */
    bool lost;  /* calls are missing in the trace; has been printed */
    bool kept;  /* the file exists */
    uint64_t calls, frames;
    uint64_t bytes; /* of the file; 0: unknown */
};

/* Waits for the end of the session and frees it. */
void session_join(struct session *s, struct session_result *result);

#endif
