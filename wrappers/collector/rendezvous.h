/* SPDX-License-Identifier: MIT
 * Where traced processes announce themselves: a socket that every process can reach that knows its name, also
 * as another user. The name cannot be guessed, and only traced processes get it.
 */
#ifndef COLLECTOR_RENDEZVOUS_H
#define COLLECTOR_RENDEZVOUS_H

#include "process/connection.h"

#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>

#define RENDEZVOUS_CALLERS 32 /* connected and not answered */

struct rendezvous {
    char directory[64];
    char path[100]; /* of the socket */
    int listener;   /* -1: none */
    int second;     /* likewise, at connection_second_address() */
    int callers[RENDEZVOUS_CALLERS];
    unsigned caller_count;
};

/* One process that wants to be recorded. */
struct rendezvous_caller {
    int fd; /* to answer on */
    struct connection_hello hello;
    int segment_fd;
    pid_t pid; /* these two are the kernel's word, not the message's */
    uid_t uid;
};

/* Makes the socket, in TMPDIR or /tmp. Errors: TRACE_ERR_IO. */
int rendezvous_open(struct rendezvous *r);
void rendezvous_close(struct rendezvous *r);

/* What to wait for; returns how many, at most RENDEZVOUS_CALLERS + 2. */
unsigned rendezvous_poll_fds(const struct rendezvous *r, struct pollfd *fds);

/* Takes new connections, and the hello of one that has sent it. Returns 1 when *out is to be answered, 0 when
 * there was none, TRACE_ERR_FORMAT when somebody sent something else. A process that connects and sends
 * nothing holds up nobody. */
int rendezvous_next(struct rendezvous *r, struct rendezvous_caller *out);

/* Answers and ends the connection. The segment's descriptor is the caller's. */
void rendezvous_answer(struct rendezvous_caller *caller, bool accepted);

#endif
