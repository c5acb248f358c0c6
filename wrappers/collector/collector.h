/* SPDX-License-Identifier: MIT
 * The collector runs in `trace-cli trace` while the program runs. Traced processes announce themselves on a
 * socket. Each gets a session: a thread that takes its records, and encodes, compresses and writes them.
 */
#ifndef COLLECTOR_COLLECTOR_H
#define COLLECTOR_COLLECTOR_H

#include "trace/container_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct collector;
struct flight_options;
struct selection_options;

/* A trace that is complete. */
struct collector_trace {
    const char *path;
    uint64_t calls, frames;
    uint64_t bytes; /* of the file; 0: unknown, as of a pipe */
};

/* What is being recorded, all processes together. */
struct collector_state {
    uint64_t calls, frames; /* since the start */
    double load;            /* how full the fullest ring is, from 0 to 1 */
};

struct collector_options {
    const char *program; /* name of the program as the user gave it; lent */
    const char *output;  /* path of the first process's trace; NULL: derived from the program's name */
    bool verbose;        /* report on stderr which process is traced into which file */
    /* Opens the output of the next trace elsewhere than in a file, and writes what it is called in messages
     * into name. Returns a descriptor, 0 if a file is to be created (as if output were NULL), or an error.
     * program: path of the traced program. NULL: there are files only. */
    int (*open)(void *context, char *name, size_t size, const char *program);
    void *open_context;
    const char *stamp;                    /* part of names that are derived from a program's; NULL: none */
    bool backtraces;                      /* of some calls are wanted */
    const char *const *debug_directories; /* as in struct frame_symbols_options */
    bool timestamps;                      /* record when calls were entered and returned */
    enum trace_container container;       /* of the traces: one that consists of blocks */
    int level;                            /* of compression */
    const struct selection_options *selection; /* lent; NULL: everything */
    const struct flight_options *flight;       /* lent; NULL: no flight recorder */
    /* Called for each trace, at the end; for each file of a flight recorder when it is written, by any
     * thread. NULL: not called. */
    void (*written)(void *context, const struct collector_trace *trace);
    /* Called about once a second while the program runs, by a thread of the collector. NULL: not called. */
    void (*recording)(void *context, const struct collector_state *state);
    void *context;
};

/* Starts listening. The caller owns *out, which ends with collector_finish() and collector_free(). Errors:
 * TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int collector_start(struct collector **out, const struct collector_options *options);

/* Returns the path of the socket, for the environment of the traced program; lent. */
const char *collector_socket_path(const struct collector *c);

struct collector_result {
    unsigned traces; /* number of files written */
    unsigned errors; /* number of processes that were not recorded, or not to their end; reported on stderr */
    unsigned losses; /* number of traces in which calls are missing; reported on stderr */
};

/* Makes collector_finish() stop waiting for processes that outlive the program. Async-signal-safe. */
void collector_interrupt(struct collector *c);

/* Starts or stops the recording in all processes. Async-signal-safe. */
void collector_set_recording(struct collector *c, bool recording);

/* Has the flight recorders of all processes write their files. Async-signal-safe. */
void collector_dump(struct collector *c);

/* Call it when the program has ended. Waits until all processes that it started have ended, including those
 * that have not used GL so far. Then writes their remaining calls. */
void collector_finish(struct collector *c, struct collector_result *result);

/* Frees a collector that has finished. No signal handler may use it any more. */
void collector_free(struct collector *c);

#endif
