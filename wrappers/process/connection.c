/* SPDX-License-Identifier: MIT */
#include "process/connection.h"

#include "base/error.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* There is no timeout: this waits for a collector that is slow or stopped, and ends when the collector ends.
 * Signals that the program handles do not end it either. */
static bool was_interrupted(ssize_t result)
{
    return result < 0 && errno == EINTR;
}

const char *connection_secret(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

unsigned connection_second_address(const char *path, struct sockaddr_un *out)
{
    /* The last component of the path after a NUL: this is not a file, but a name in the abstract namespace.
     */
    const char *end = connection_secret(path), *start = end > path ? end - 1 : path;
    while (start > path && start[-1] != '/')
        start--;
    size_t size = end > start ? (size_t)(end - 1 - start) : 0;
    if (size > sizeof out->sun_path - 1)
        size = sizeof out->sun_path - 1;
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(out->sun_path + 1, start, size);
    return (unsigned)(offsetof(struct sockaddr_un, sun_path) + 1 + size);
}

static bool connects(int fd, const struct sockaddr_un *address, unsigned size)
{
    int rc;
    do
        rc = connect(fd, (const struct sockaddr *)address, size);
    while (was_interrupted(rc));
    return rc == 0;
}

static int open_socket(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX}, second;
    if (strlen(path) >= sizeof address.sun_path)
        return trace_error_set(TRACE_ERR_IO, "%s: the socket's path is too long", path);
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot make a socket");
    if (connects(fd, &address, sizeof address))
        return fd;
    int reason = errno;
    if (connects(fd, &second, connection_second_address(path, &second)))
        return fd;
    close(fd);
    return trace_error_set_errno(TRACE_ERR_IO, reason, "cannot reach trace-cli at %s", path);
}

static int send_hello(int fd, const struct connection_hello *hello, size_t size, int segment_fd)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {.space = {0}};
    struct iovec part = {(void *)hello, size};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    if (segment_fd >= 0) {
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(c), &segment_fd, sizeof segment_fd);
    } else {
        message.msg_control = NULL;
        message.msg_controllen = 0;
    }
    ssize_t sent;
    do
        sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (was_interrupted(sent));
    if (sent != (ssize_t)size)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot send to trace-cli");
    return 0;
}

/* text may be NULL; else it has room for CONNECTION_TEXT_SIZE bytes. */
static int wait_for_reply(int fd, struct connection_reply *reply, char *text)
{
    struct iovec parts[2] = {{reply, sizeof *reply}, {text, text != NULL ? CONNECTION_TEXT_SIZE - 1 : 0}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = text != NULL ? 2 : 1};
    ssize_t got;
    do
        got = recvmsg(fd, &message, 0);
    while (was_interrupted(got));
    if (got < (ssize_t)sizeof *reply || reply->magic != CONNECTION_MAGIC)
        return trace_error_set(TRACE_ERR_IO, "trace-cli does not answer");
    if (text != NULL)
        text[got - (ssize_t)sizeof *reply] = '\0';
    return 0;
}

/* text: as in wait_for_reply(). */
static int exchange(const char *socket_path, struct connection_hello *hello, uint32_t text_size,
                    int segment_fd, struct connection_reply *reply, char *text)
{
    int fd = open_socket(socket_path);
    if (fd < 0)
        return fd;
    snprintf(hello->secret, sizeof hello->secret, "%s", connection_secret(socket_path));
    int rc = send_hello(fd, hello, offsetof(struct connection_hello, text) + text_size, segment_fd);
    if (rc == 0)
        rc = wait_for_reply(fd, reply, text);
    close(fd);
    return rc;
}

int connection_announce(const char *socket_path, struct connection_hello *hello, uint32_t text_size,
                        int segment_fd, struct connection_reply *reply)
{
    return exchange(socket_path, hello, text_size, segment_fd, reply, NULL);
}

int connection_command(const char *socket_path, enum connection_command command,
                       char text[CONNECTION_TEXT_SIZE])
{
    struct connection_hello hello = {.magic = CONNECTION_COMMAND_MAGIC, .pid = command};
    struct connection_reply reply = {.accepted = 0};
    int rc = exchange(socket_path, &hello, 1, -1, &reply, text);
    if (rc == 0 && !reply.accepted)
        rc = trace_error_set(TRACE_ERR_IO, "%s",
                             text[0] != '\0' ? text : "trace-cli does not know this command");
    return rc;
}
