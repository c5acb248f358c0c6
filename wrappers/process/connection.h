/* SPDX-License-Identifier: MIT
 * How a traced process and the collector meet: one message each way on a Unix socket that is closed again at
 * once. The program never holds a descriptor of ours: it may close, reuse or count its descriptors.
 */
#ifndef PROCESS_CONNECTION_H
#define PROCESS_CONNECTION_H

#include <stdint.h>

#define CONNECTION_ENVIRONMENT "TRACE_CLI_SOCKET" /* path of the collector's socket */
#define CONNECTION_MAGIC       0x54524331u

/* From the program, with the segment's descriptor attached (SCM_RIGHTS); the text is the program's path and
 * its arguments, joined by blanks. Each of the two ends with a NUL. */
struct connection_hello {
    uint32_t magic;
    uint32_t pid;
    char secret[40]; /* the socket's name in its directory, which only processes of the collector's know */
    char text[3840];
};

/* From the collector. */
struct connection_reply {
    uint32_t magic;
    int32_t accepted; /* 0: do not record */
    uint32_t collector_pid;
};

/* Sends hello, with text_size bytes of its text, and segment_fd to the collector at socket_path. Then waits
 * for the answer, as long as the collector lives. segment_fd -1: only tells the collector that this process
 * cannot be recorded; there is no answer. Returns 0, or TRACE_ERR_IO with the message set. */
int connection_announce(const char *socket_path, struct connection_hello *hello, uint32_t text_size,
                        int segment_fd, struct connection_reply *reply);

/* The second address of the socket at path, for processes that do not see its directory: in another root, or
 * with a /tmp of their own. It needs no directory, but it can be guessed. So a process that uses it has to
 * send the secret. Returns its size. */
struct sockaddr_un;
unsigned connection_second_address(const char *path, struct sockaddr_un *out);

/* The secret in path; lent. */
const char *connection_secret(const char *path);

/* A process that may not make system calls like socket() or memfd_create() takes a segment that the collector
 * made ahead, from a file of this name beside the socket, and says so in it. */
#define CONNECTION_SPARE_NAME "segment"

/* How many seccomp filters the collector itself runs under, as text. A process under as many filters may make
 * the same system calls. */
#define CONNECTION_FILTERS_ENVIRONMENT "TRACE_CLI_FILTERS"

#endif
