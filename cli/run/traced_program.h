/* SPDX-License-Identifier: MIT
 * The program that `trace` runs: started as if by whoever ran trace-cli, and waited for.
 */
#ifndef CLI_TRACED_PROGRAM_H
#define CLI_TRACED_PROGRAM_H

#include <stdbool.h>

#define TRACED_PROGRAM_FAILED    1
#define TRACED_PROGRAM_NOT_FOUND 127 /* as the shell's */
#define TRACED_PROGRAM_NOT_RUN   126

struct traced_environment {
    const char *library;     /* to be preloaded */
    const char *socket_path; /* of the collector */
    const char *api;         /* NULL: all */
    bool offer_extensions;
    bool verbose;
};

/* Makes this process fit to outlive the program's signals and limits: call it before anything is opened.
 * Descriptors 0 to 2 that are closed are /dev/null from here on, so that no file of ours gets their number
 * and our messages. The program finds everything as it was. */
void traced_program_prepare(void);

/* Starts the program. 0, or the errno value that says why it did not start. */
int traced_program_start(const struct traced_environment *e, char **argv);

/* Waits for its end; returns its exit status, or 128 + N when signal N killed it. Signals that are sent to
 * this process meanwhile go to the program; those that come later call `interrupted`, which must be
 * async-signal-safe. */
int traced_program_wait(void (*interrupted)(void *context), void *context);

#endif
