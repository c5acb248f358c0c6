/* SPDX-License-Identifier: MIT */
#include "collector/collector.h"

#include "collector/session.h"
#include "collector/spare_segment.h"
#include "connection.h"
#include "trace_file_name.h"

#include "base/error.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 64

struct collector {
    struct collector_options options;
    enum capture_clock clock; /* of all sessions' records */
    struct tick_pair early;
    char folder[80]; /* of the socket; only this user can enter it */
    char socket_path[100];
    int listener;
    int stop_fd; /* eventfd: the server thread ends */
    pthread_t server;
    struct spare_segments *spares; /* NULL: none could be made */
    bool output_used;              /* the -o name belongs to the first process */
    _Atomic bool stop;
    struct session *sessions;
    struct collector_result result;
};

static int make_socket(struct collector *c)
{
    const char *base = getenv("TMPDIR");
    if (base == NULL || strlen(base) > 40)
        base = "/tmp";
    snprintf(c->folder, sizeof c->folder, "%s/trace-cli-XXXXXX", base);
    if (mkdtemp(c->folder) == NULL)
        return error_set_errno(ERR_IO, errno, "%s: cannot make a folder for the socket", base);
    snprintf(c->socket_path, sizeof c->socket_path, "%s/socket", c->folder);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, c->socket_path, strlen(c->socket_path) + 1);
    c->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (c->listener < 0 || bind(c->listener, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(c->listener, BACKLOG) != 0)
        return error_set_errno(ERR_IO, errno, "%s: cannot listen", c->socket_path);
    return 0;
}

/* Receives a hello of at least a header; the process's id comes from the kernel, not from the message. */
static int receive_hello(int fd, struct connection_hello *hello, int *segment_fd, pid_t *pid)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {hello, sizeof *hello - 2};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    memset(hello, 0, sizeof *hello);
    ssize_t size = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    struct cmsghdr *c = size > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (c == NULL || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof(int)))
        return error_set(ERR_FORMAT, "a connection without a capture buffer");
    memcpy(segment_fd, CMSG_DATA(c), sizeof *segment_fd);
    struct ucred peer;
    socklen_t peer_size = sizeof peer;
    if (hello->magic != CONNECTION_MAGIC || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &peer_size) != 0) {
        close(*segment_fd);
        return error_set(ERR_FORMAT, "a connection from another version of trace-cli");
    }
    /* spare_segment.c speaks for processes that cannot. */
    *pid = peer.pid == getpid() ? (pid_t)hello->pid : peer.pid;
    return 0;
}

static void end_sessions_of(struct collector *c, pid_t pid)
{
    for (struct session *s = c->sessions; s != NULL; s = s->next) {
        if (s->pid == pid && !atomic_load(&s->replaced)) {
            atomic_store(&s->replaced, true);
            segment_ring_doorbell(s->segment.control);
        }
    }
}

/* Removes a file that holds no trace; what is not a file (/dev/full) stays. */
static void discard_file(const char *name)
{
    struct stat st;
    if (lstat(name, &st) == 0 && S_ISREG(st.st_mode))
        unlink(name);
}

static int add_session(struct collector *c, const struct connection_hello *hello, int segment_fd, pid_t pid)
{
    char name[PATH_MAX];
    const char *program = hello->text, *arguments = program + strlen(program) + 1;
    int file = trace_file_create(name, sizeof name, c->options.output, !c->output_used, program);
    if (file < 0) {
        close(segment_fd);
        return file;
    }
    c->output_used = true;
    end_sessions_of(c, pid);
    struct session *s;
    const struct session_options options = {.pid = pid,
                                            .segment_fd = segment_fd,
                                            .file = file,
                                            .name = name,
                                            .program = program,
                                            .arguments = arguments,
                                            .stop = &c->stop,
                                            .clock = c->clock,
                                            .early = c->early};
    int rc = session_start(&s, &options);
    if (rc != 0) {
        discard_file(name);
        return error_prefix(rc, "%s", name);
    }
    s->next = c->sessions;
    c->sessions = s;
    c->result.traces++;
    if (c->options.verbose)
        fprintf(stderr, "trace-cli: tracing %s (process %d) to %s\n", program, (int)pid, name);
    return 0;
}

static void serve_connection(struct collector *c)
{
    int fd = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    struct connection_hello hello;
    int segment_fd = -1;
    pid_t pid = 0;
    int rc = receive_hello(fd, &hello, &segment_fd, &pid);
    if (rc == 0)
        rc = add_session(c, &hello, segment_fd, pid);
    if (rc != 0) {
        fprintf(stderr, "trace-cli: error: %s\n", error_message());
        c->result.errors++;
    }
    const struct connection_reply reply = {CONNECTION_MAGIC, rc == 0, (uint32_t)getpid()};
    send(fd, &reply, sizeof reply, MSG_NOSIGNAL);
    close(fd);
}

static void *run_server(void *argument)
{
    struct collector *c = argument;
    struct pollfd fds[2] = {{c->listener, POLLIN, 0}, {c->stop_fd, POLLIN, 0}};
    for (;;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return NULL;
        if ((fds[0].revents & POLLIN) != 0)
            serve_connection(c);
        else if (fds[1].revents != 0)
            return NULL;
    }
}

static void free_collector(struct collector *c)
{
    if (c->listener >= 0) {
        close(c->listener);
        unlink(c->socket_path);
    }
    if (c->folder[0] != '\0')
        rmdir(c->folder);
    if (c->stop_fd >= 0)
        close(c->stop_fd);
    free(c);
}

int collector_start(struct collector **out, const struct collector_options *options)
{
    struct collector *c = calloc(1, sizeof *c);
    if (c == NULL)
        return error_set(ERR_MEMORY, "out of memory");
    c->options = *options;
    c->clock = options->timestamps ? tick_clock_choose() : CAPTURE_CLOCK_NONE;
    c->early = tick_clock_measure(c->clock);
    c->listener = -1;
    c->stop_fd = eventfd(0, EFD_CLOEXEC);
    int rc = c->stop_fd >= 0 ? make_socket(c) : error_set_errno(ERR_IO, errno, "cannot make an eventfd");
    if (rc == 0 && pthread_create(&c->server, NULL, run_server, c) != 0)
        rc = error_set(ERR_MEMORY, "cannot start a thread");
    if (rc != 0) {
        free_collector(c);
        return rc;
    }
    spare_segments_start(&c->spares, c->socket_path);
    *out = c;
    return 0;
}

const char *collector_socket_path(const struct collector *c)
{
    return c->socket_path;
}

void collector_interrupt(struct collector *c)
{
    atomic_store(&c->stop, true);
}

static void join_sessions(struct collector *c)
{
    while (c->sessions != NULL) {
        struct session *s = c->sessions;
        c->sessions = s->next;
        char name[PATH_MAX];
        memcpy(name, s->name, sizeof name);
        if (session_join(s) != 0)
            c->result.errors++;
        else if (c->options.announce)
            fprintf(stderr, "trace-cli: the trace is in %s\n", name);
    }
}

void collector_finish(struct collector *c, struct collector_result *result)
{
    /* A process that outlives the program keeps its session; one that starts from here on is not taken. */
    const uint64_t one = 1;
    spare_segments_stop(c->spares);
    if (write(c->stop_fd, &one, sizeof one) != (ssize_t)sizeof one)
        collector_interrupt(c);
    pthread_join(c->server, NULL);
    join_sessions(c);
    *result = c->result;
    free_collector(c);
}
