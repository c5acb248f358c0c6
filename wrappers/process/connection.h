/* SPDX-License-Identifier: MIT
 * The handshake of a traced process and the collector: one message in each direction on a Unix socket, which
 * is then closed. The program never holds a descriptor of the recorder, because it may close, reuse or count
 * its descriptors.
 */
#ifndef PROCESS_CONNECTION_H
#define PROCESS_CONNECTION_H

#include <stdint.h>

#define CONNECTION_ENVIRONMENT "TRACE_CLI_SOCKET" /* contains the path of the collector's socket */
#define CONNECTION_MAGIC       0x54524331u

/* Sent by the program, with the segment's descriptor attached (SCM_RIGHTS). The text that follows is the path
 * of the program and its arguments, joined by spaces. Each of the two ends with a NUL. */
struct connection_hello {
    uint32_t magic;
    uint32_t pid;
    char secret[40]; /* the name of the socket in its directory, which only the collector's processes know */
    char text[3840];
};

/* Sent by the collector. */
struct connection_reply {
    uint32_t magic;
    int32_t accepted; /* 0: do not record */
    uint32_t collector_pid;
};

/* Sends hello, text_size bytes of its text, and segment_fd to the collector at socket_path. Then waits for
 * the reply, as long as the collector lives. segment_fd -1: only reports that this process cannot be
 * recorded, without a reply. Errors: TRACE_ERR_IO, with the message set. */
int connection_announce(const char *socket_path, struct connection_hello *hello, uint32_t text_size,
                        int segment_fd, struct connection_reply *reply);

/* Sent instead of a hello by a process that is not recorded: pid is one of these, and there is no text. */
#define CONNECTION_COMMAND_MAGIC 0x54524332u
enum connection_command { CONNECTION_STOP, CONNECTION_START, CONNECTION_DUMP };

/* In this reply, text follows, which may be empty: the result, or why the collector refuses. */
#define CONNECTION_TEXT_SIZE 8192

/* Sends the command to the collector at socket_path, and waits for the reply. text receives its text. Errors:
 * TRACE_ERR_IO, also if the collector refuses. */
int connection_command(const char *socket_path, enum connection_command command,
                       char text[CONNECTION_TEXT_SIZE]);

/* Fills in the second address of the socket at path, for processes that cannot access its directory because
 * they have another root directory or their own /tmp. It needs no directory, but can be guessed. So a process
 * that uses it must send the secret. Returns the size of the address in bytes. */
struct sockaddr_un;
unsigned connection_second_address(const char *path, struct sockaddr_un *out);

/* Returns the secret in path; lent. */
const char *connection_secret(const char *path);

/* A process that must not make system calls such as socket() or memfd_create() takes a segment that the
 * collector has prepared. It opens a file of this name beside the socket, and claims the segment in the
 * segment itself. */
#define CONNECTION_SPARE_NAME "segment"

/* The number of seccomp filters of the collector, as text. A process under as many filters may make the same
 * system calls. */
#define CONNECTION_FILTERS_ENVIRONMENT "TRACE_CLI_FILTERS"

#endif
