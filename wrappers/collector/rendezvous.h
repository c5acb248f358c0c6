/* SPDX-License-Identifier: MIT
 * The socket where traced processes announce themselves. Every process that knows its name can reach it, even
 * as another user. The name cannot be guessed, and only traced processes are told.
 */
#ifndef COLLECTOR_RENDEZVOUS_H
#define COLLECTOR_RENDEZVOUS_H

#include "process/connection.h"

#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>

#define RENDEZVOUS_CALLERS 32 /* highest number of connections without an answer */

struct rendezvous {
    char directory[64];
    char path[100]; /* path of the socket */
    int listener;   /* -1: none */
    int second;     /* the same at connection_second_address() */
    int reserve;    /* a descriptor for a caller for whom there is no other; -1: in use */
    int callers[RENDEZVOUS_CALLERS];
    unsigned caller_count;
};

/* A process that wants to be recorded, or has a command. */
struct rendezvous_caller {
    int fd; /* the connection for the answer */
    struct connection_hello hello;
    int segment_fd; /* -1: hello.pid is a command (enum connection_command) */
    pid_t pid;      /* pid and uid come from the kernel, not from the message */
    uid_t uid;
};

/* Creates the socket, in TMPDIR or /tmp. Errors: TRACE_ERR_IO. */
int rendezvous_open(struct rendezvous *r);
void rendezvous_close(struct rendezvous *r);

/* Fills in the descriptors to wait for. Returns their number, at most RENDEZVOUS_CALLERS + 2. */
unsigned rendezvous_poll_fds(const struct rendezvous *r, struct pollfd *fds);

/* Accepts new connections, and receives the hello of one caller. Returns 1 if *out must be answered, 0 if
 * there was none, or TRACE_ERR_FORMAT if somebody sent something else. A process that connects and sends
 * nothing does not block others. */
int rendezvous_next(struct rendezvous *r, struct rendezvous_caller *out);

/* Sends the answer and closes the connection. The caller of this function owns the segment's descriptor. */
void rendezvous_answer(struct rendezvous_caller *caller, bool accepted);

/* Does the same with text, which is cut at CONNECTION_TEXT_SIZE - 1 bytes, for the caller of a command. */
void rendezvous_answer_text(int fd, bool accepted, const char *text);

#endif
