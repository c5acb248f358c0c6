/* SPDX-License-Identifier: MIT
 * The collector: what `trace-cli trace` does while the program runs. Traced processes announce themselves on
 * a socket; each gets a session, a thread that takes its records, encodes, compresses and writes them.
 */
#ifndef COLLECTOR_COLLECTOR_H
#define COLLECTOR_COLLECTOR_H

#include <stdbool.h>

struct collector;

struct collector_options {
    const char *program; /* what the user called it; lent */
    const char *output;  /* path of the first process's trace; NULL: named after the program */
    bool verbose;        /* say on stderr what is traced where */
    bool announce;       /* say on stderr at the end where the traces are */
    bool timestamps;     /* record when calls were entered and left */
};

/* Starts listening. The caller owns *out (collector_finish). */
int collector_start(struct collector **out, const struct collector_options *options);

/* Path of the socket, for the traced program's environment; lent. */
const char *collector_socket_path(const struct collector *c);

struct collector_result {
    unsigned traces; /* files written */
    unsigned errors; /* processes that could not be recorded, or not to their end; said on stderr */
    unsigned losses; /* traces that lack something that their programs called; said on stderr */
};

/* Ends the waiting of collector_finish() for processes that outlive the program. Async-signal-safe. */
void collector_interrupt(struct collector *c);

/* To be called when the program has ended. Waits until all processes that it has started have ended, also
 * those that have not used GL so far; writes the rest of their calls, and frees c. */
void collector_finish(struct collector *c, struct collector_result *result);

#endif
