/* SPDX-License-Identifier: MIT
 * Starts the program that `trace-cli trace` traces, and waits for its end. The program finds the same
 * environment as if the user had started it directly.
 */
#ifndef CLI_TRACED_PROGRAM_H
#define CLI_TRACED_PROGRAM_H

#include <stdbool.h>

#define TRACED_PROGRAM_FAILED    1
#define TRACED_PROGRAM_NOT_FOUND 127 /* the same as the shell's */
#define TRACED_PROGRAM_NOT_RUN   126

#define TRACED_PROGRAM_VARIABLES 2

struct traced_environment {
    const char *library;     /* to preload; NULL: none */
    const char *directory;   /* of libraries that take the place of GL's, instead of preloading; NULL: none */
    const char *socket_path; /* of the collector; NULL: there is none */
    const char *api;         /* NULL: all */
    bool offer_extensions;
    const char *backtrace;    /* functions; NULL: as the environment says */
    unsigned backtrace_depth; /* 0: likewise */
    struct {
        const char *name, *value;          /* name NULL: none */
    } variables[TRACED_PROGRAM_VARIABLES]; /* that the program gets besides */
    bool verbose;
    bool output_to_error; /* its standard output is our standard error */
    bool debug;           /* run the program in gdb */
    /* Called when this process gets SIGUSR1 (true) or SIGUSR2; must be async-signal-safe. */
    void (*set_recording)(void *context, bool recording);
    void (*dump)(void *context); /* called by a signal handler, for SIGRTMIN; with the same context */
    void *context;
};

/* Prepares this process to outlive the program's signals and resource limits. Call it before any file is
 * opened. Opens /dev/null in place of closed descriptors from 0 to 2. Otherwise a file of ours would get the
 * number of one, and with it our messages. All of this is undone in the program. */
void traced_program_prepare(void);

/* Starts the program. Returns 0, or the errno value of what failed. */
int traced_program_start(const struct traced_environment *e, char **argv);

/* Waits for the program's end. Returns its exit status, or 128 + N if signal N killed it. Passes signals that
 * this process receives meanwhile on to the program. Later signals call `interrupted`, which must be
 * async-signal-safe. */
int traced_program_wait(void (*interrupted)(void *context), void *context);

/* After this, no signal calls set_recording or interrupted any more. To be called before their contexts are
 * freed, by the only thread that is left. Signals have no effect from then on. */
void traced_program_release(void);

#endif
