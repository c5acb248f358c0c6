/* SPDX-License-Identifier: MIT
 * How a traced process and the collector meet: one message each way on a Unix socket that is closed again at
 * once. The program never holds a descriptor of ours: it may close, reuse or count its descriptors.
 */
#ifndef PROCESS_CONNECTION_H
#define PROCESS_CONNECTION_H

#include <stdint.h>

#define CONNECTION_ENVIRONMENT "TRACE_CLI_SOCKET" /* path of the collector's socket */
#define CONNECTION_MAGIC       0x54524331u

/* From the program, with the segment's descriptor attached (SCM_RIGHTS); the text is the program's path, a
 * NUL, its arguments joined by blanks, a NUL. */
struct connection_hello {
    uint32_t magic;
    uint32_t pid;
    char secret[40]; /* the socket's name in its directory: who knows it was started by the collector */
    char text[3840];
};

/* From the collector. */
struct connection_reply {
    uint32_t magic;
    int32_t accepted; /* 0: do not record */
    uint32_t collector_pid;
};

/* Sends hello (text_size bytes of its text) and segment_fd to the collector at socket_path (-1: this process
 * cannot be recorded, which is to be told; there is no answer), waits for its answer as long as the collector
 * lives. 0, or TRACE_ERR_IO with the message set. */
int connection_announce(const char *socket_path, struct connection_hello *hello, uint32_t text_size,
                        int segment_fd, struct connection_reply *reply);

/* The second address of the socket at path, for processes that do not see its directory: in another root, or
 * with a /tmp of their own. It needs no directory, and can be guessed; so who uses it has to say the secret.
 * Returns its size. */
struct sockaddr_un;
unsigned connection_second_address(const char *path, struct sockaddr_un *out);

/* The secret in path; lent. */
const char *connection_secret(const char *path);

/* The name of the memory file that a process maps a page of, so that who looks into its /proc/PID/maps knows
 * whose it is. */
#define CONNECTION_MARK_SIZE 64
void connection_mark_name(const char *path, char out[CONNECTION_MARK_SIZE]);

/* A process that may not make system calls like socket() or memfd_create() takes a segment that the collector
 * made ahead, from a file of this name beside the socket, and says so in it. */
#define CONNECTION_SPARE_NAME "segment"

/* How many seccomp filters the collector runs under itself, as text: a process under as many can do what it
 * can. */
#define CONNECTION_FILTERS_ENVIRONMENT "TRACE_CLI_FILTERS"

#endif
