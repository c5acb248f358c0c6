/* SPDX-License-Identifier: MIT */
#include "collector/rendezvous.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG       64
#define LONGEST_BASE  40
#define OUT_OF_FDS_US 20000

/* Other users may enter the directory, but not list it. */
static int make_directory(struct rendezvous *r, const char *base)
{
    snprintf(r->directory, sizeof r->directory, "%s/trace-cli-XXXXXX", base);
    if (mkdtemp(r->directory) != NULL && chmod(r->directory, 0711) == 0)
        return 0;
    r->directory[0] = '\0';
    return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot make a directory for the socket", base);
}

static int listen_at(struct rendezvous *r)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, r->path, strlen(r->path) + 1);
    r->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (r->listener < 0 || bind(r->listener, (const struct sockaddr *)&address, sizeof address) != 0 ||
        chmod(r->path, 0666) != 0 || listen(r->listener, BACKLOG) != 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot listen", r->path);
    return 0;
}

/* Failure is ignored, since most processes do not need the second address. */
static void listen_at_second(struct rendezvous *r)
{
    struct sockaddr_un address;
    unsigned size = connection_second_address(r->path, &address);
    r->second = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (r->second >= 0 &&
        (bind(r->second, (const struct sockaddr *)&address, size) != 0 || listen(r->second, BACKLOG) != 0)) {
        close(r->second);
        r->second = -1;
    }
}

static void take_reserve(struct rendezvous *r)
{
    if (r->reserve < 0)
        r->reserve = fcntl(r->listener, F_DUPFD_CLOEXEC, 0);
}

int rendezvous_open(struct rendezvous *r)
{
    uint64_t secret[2];
    const char *base = getenv("TMPDIR");
    *r = (struct rendezvous){.listener = -1, .second = -1, .reserve = -1};
    if (getrandom(secret, sizeof secret, 0) != (ssize_t)sizeof secret)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot choose a random name for the socket");
    if (base == NULL || strlen(base) > LONGEST_BASE || make_directory(r, base) != 0) {
        int rc = make_directory(r, "/tmp");
        if (rc != 0)
            return rc;
    }
    snprintf(r->path, sizeof r->path, "%s/%016llx%016llx", r->directory, (unsigned long long)secret[0],
             (unsigned long long)secret[1]);
    int rc = listen_at(r);
    if (rc == 0) {
        listen_at_second(r);
        take_reserve(r);
    } else {
        rendezvous_close(r);
    }
    return rc;
}

void rendezvous_close(struct rendezvous *r)
{
    for (unsigned i = 0; i < r->caller_count; ++i)
        close(r->callers[i]);
    if (r->listener >= 0) {
        close(r->listener);
        unlink(r->path);
    }
    if (r->second >= 0)
        close(r->second);
    if (r->reserve >= 0)
        close(r->reserve);
    if (r->directory[0] != '\0')
        rmdir(r->directory);
    *r = (struct rendezvous){.listener = -1, .second = -1, .reserve = -1};
}

unsigned rendezvous_poll_fds(const struct rendezvous *r, struct pollfd *fds)
{
    for (unsigned i = 0; i < r->caller_count; ++i)
        fds[i] = (struct pollfd){r->callers[i], POLLIN, 0};
    fds[r->caller_count] = (struct pollfd){r->listener, POLLIN, 0};
    fds[r->caller_count + 1] = (struct pollfd){r->second, POLLIN, 0}; /* poll() ignores -1 */
    return r->caller_count + 2;
}

/* A process sends its hello at once. If there are too many callers, the one that has been silent for the
 * longest time is dropped. */
static void add_caller(struct rendezvous *r, int fd)
{
    if (r->caller_count == RENDEZVOUS_CALLERS) {
        close(r->callers[0]);
        r->caller_count--;
        memmove(r->callers, r->callers + 1, r->caller_count * sizeof r->callers[0]);
    }
    r->callers[r->caller_count++] = fd;
}

static bool is_out_of_descriptors(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* Accepts a connection from the queue. If there is no descriptor for it, it gets the reserve: there is none
 * for its segment then, so it is refused. Left in the queue, it could wait for ever, if the others wait for
 * it. */
static bool accept_caller(struct rendezvous *r, int listener)
{
    if (listener < 0)
        return false;
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0 && is_out_of_descriptors(errno) && r->reserve >= 0) {
        close(r->reserve);
        r->reserve = -1;
        fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    }
    if (fd >= 0)
        add_caller(r, fd);
    else if (is_out_of_descriptors(errno))
        usleep(OUT_OF_FDS_US); /* the one that has the reserve has not spoken yet */
    return fd >= 0;
}

/* Returns the descriptor that was received with a message, or -1 if it was not exactly one. */
static int descriptor_of(struct msghdr *message)
{
    struct cmsghdr *c = CMSG_FIRSTHDR(message);
    if (c == NULL || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
        c->cmsg_len < CMSG_LEN(sizeof(int)))
        return -1;
    size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    int fd;
    memcpy(&fd, CMSG_DATA(c), sizeof fd);
    for (size_t i = 0; count != 1 && i < count; ++i) {
        memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
        close(fd);
    }
    return count == 1 ? fd : -1;
}

static bool knows_secret(const struct rendezvous *r, const struct connection_hello *hello)
{
    return strncmp(hello->secret, connection_secret(r->path), sizeof hello->secret) == 0;
}

/* Returns 1 if *out is complete, 0 if the process has closed the connection or is not one of ours, -EAGAIN,
 * or TRACE_ERR_FORMAT. */
static int receive_hello(const struct rendezvous *r, int fd, struct rendezvous_caller *out)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {&out->hello, sizeof out->hello - 2};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    memset(&out->hello, 0, sizeof out->hello);
    ssize_t size = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return -EAGAIN;
    if (size <= 0)
        return 0;
    struct ucred peer;
    socklen_t peer_size = sizeof peer;
    out->fd = fd;
    out->segment_fd = descriptor_of(&message);
    if (!knows_secret(r, &out->hello)) { /* anybody can find the second address, so this is not an error */
        if (out->segment_fd >= 0)
            close(out->segment_fd);
        return 0;
    }
    if (out->hello.magic == CONNECTION_COMMAND_MAGIC && out->segment_fd < 0)
        return 1;
    if (out->segment_fd < 0)
        return trace_error_set(
            TRACE_ERR_FORMAT, "%s (process %u) could not be recorded%s", out->hello.text,
            (unsigned)out->hello.pid,
            (message.msg_flags & MSG_CTRUNC) != 0 ? ": trace-cli has no descriptors left (ulimit -n)" : "");
    if (out->hello.magic != CONNECTION_MAGIC ||
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &peer_size) != 0) {
        close(out->segment_fd);
        return trace_error_set(TRACE_ERR_FORMAT, "a connection from another version of trace-cli");
    }
    /* spare_segment.c announces processes that cannot do it themselves. */
    out->pid = peer.pid == getpid() ? (pid_t)out->hello.pid : peer.pid;
    out->uid = peer.uid;
    return 1;
}

static void remove_caller(struct rendezvous *r, unsigned index)
{
    r->caller_count--;
    memmove(r->callers + index, r->callers + index + 1, (r->caller_count - index) * sizeof r->callers[0]);
}

int rendezvous_next(struct rendezvous *r, struct rendezvous_caller *out)
{
    do {
        take_reserve(r);
        for (unsigned i = 0; i < r->caller_count;) {
            int fd = r->callers[i], rc = receive_hello(r, fd, out);
            if (rc == -EAGAIN) {
                i++;
                continue;
            }
            remove_caller(r, i);
            if (rc == 1)
                return 1;
            close(fd);
            if (rc != 0)
                return rc;
        }
    } while (accept_caller(r, r->listener) || accept_caller(r, r->second));
    return 0;
}

void rendezvous_answer_text(int fd, bool accepted, const char *text)
{
    struct connection_reply reply = {CONNECTION_MAGIC, accepted, (uint32_t)getpid()};
    struct iovec parts[2] = {{&reply, sizeof reply}, {(void *)text, strnlen(text, CONNECTION_TEXT_SIZE - 1)}};
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    sendmsg(fd, &message, MSG_NOSIGNAL);
    close(fd);
}

void rendezvous_answer(struct rendezvous_caller *caller, bool accepted)
{
    rendezvous_answer_text(caller->fd, accepted, "");
}
