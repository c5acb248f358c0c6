/* SPDX-License-Identifier: MIT */
#include "run/remote_sender.h"

#include "run/network_address.h"
#include "run/remote_protocol.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/worker_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIPE_SIZE (1 << 20)
#define PIECE     ((size_t)256 << 10) /* bytes of a trace in a frame */
#define HELLO_MS  10000               /* for the receiver's answer to the hello */
#define STORED_MS 60000               /* for its answers at the end */

struct sent {
    char name[REMOTE_NAME_MAX + 1];
    int pipe;        /* to read from; -1: it has ended */
    bool has_answer; /* it was stored, or not */
    bool failed;
};

struct remote_sender {
    const char *address;
    int connection;
    int wake; /* eventfd: there is something new below */
    pthread_t thread;
    pthread_mutex_t lock; /* protects what follows */
    struct sent **traces;
    size_t count, capacity;
    bool finishing;
    bool gone; /* the receiver has */

    /* Of the thread. */
    uint8_t *piece;
    uint8_t answer[REMOTE_HEADER + REMOTE_NAME_MAX];
    size_t answer_size;
};

/* --- the connection ---------------------------------------------------------------------------------- */

static int send_all(int connection, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    while (size > 0) {
        ssize_t n = send(connection, p, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot send");
        p += n;
        size -= (size_t)n;
    }
    return 0;
}

static int say_hello(int connection, const struct remote_token *token)
{
    uint8_t hello[REMOTE_HELLO_MAX], answer = 0;
    struct pollfd p = {connection, POLLIN, 0};
    memcpy(hello, REMOTE_MAGIC, REMOTE_MAGIC_SIZE);
    hello[REMOTE_MAGIC_SIZE] = token->size;
    memcpy(hello + REMOTE_MAGIC_SIZE + 1, token->bytes, token->size);
    int rc = send_all(connection, hello, REMOTE_MAGIC_SIZE + 1 + token->size);
    if (rc != 0)
        return rc;
    while (poll(&p, 1, HELLO_MS) < 0 && errno == EINTR)
        continue;
    if ((p.revents & POLLIN) == 0 || recv(connection, &answer, 1, 0) != 1)
        return trace_error_set(TRACE_ERR_IO, "no trace-cli receive answers there");
    if (answer == REMOTE_ACCEPTED)
        return 0;
    return trace_error_set(TRACE_ERR_IO, answer == REMOTE_REFUSED ? "the receiver does not accept the token"
                                                                  : "no trace-cli receive answers there");
}

/* --- the thread ---------------------------------------------------------------------------------------- */

/* To be called with the lock. The writer is told by EPIPE. */
static void close_pipe(struct sent *t)
{
    if (t->pipe >= 0)
        close(t->pipe);
    t->pipe = -1;
}

/* The traces end here; their writers are told by EPIPE. */
static void give_up(struct remote_sender *s, const char *why)
{
    pthread_mutex_lock(&s->lock);
    if (!s->gone)
        fprintf(stderr, "trace-cli: error: %s: the receiver has gone (%s); the traces end there\n",
                s->address, why);
    s->gone = true;
    for (size_t i = 0; i < s->count; ++i)
        close_pipe(s->traces[i]);
    pthread_mutex_unlock(&s->lock);
}

static int send_frame(struct remote_sender *s, enum remote_frame kind, size_t trace, const void *payload,
                      size_t size)
{
    uint8_t header[REMOTE_HEADER];
    remote_put_header(header, kind, (uint32_t)trace, (uint32_t)size);
    int rc = send_all(s->connection, header, sizeof header);
    if (rc == 0)
        rc = send_all(s->connection, payload, size);
    if (rc != 0)
        give_up(s, trace_error_message());
    return rc;
}

static struct sent *trace_at(struct remote_sender *s, size_t index)
{
    pthread_mutex_lock(&s->lock);
    struct sent *t = index < s->count ? s->traces[index] : NULL;
    pthread_mutex_unlock(&s->lock);
    return t;
}

static void forward(struct remote_sender *s, size_t index)
{
    struct sent *t = trace_at(s, index);
    ssize_t n = t->pipe >= 0 ? read(t->pipe, s->piece, PIECE) : -1;
    if (n > 0) {
        send_frame(s, REMOTE_DATA, index, s->piece, (size_t)n);
        return;
    }
    if (n < 0)
        return;
    pthread_mutex_lock(&s->lock);
    close_pipe(t);
    pthread_mutex_unlock(&s->lock);
    send_frame(s, REMOTE_END, index, NULL, 0);
}

/* text comes from the network. */
static void print_failure(const struct remote_sender *s, const struct sent *t, const uint8_t *text,
                          size_t size)
{
    char clean[REMOTE_NAME_MAX + 1];
    for (size_t i = 0; i < size; ++i)
        clean[i] = text[i] >= ' ' && text[i] < 0x7f ? (char)text[i] : '?';
    clean[size] = '\0';
    fprintf(stderr, "trace-cli: error: %s: %s could not be stored there: %s\n", s->address, t->name, clean);
}

/* Takes an answer that is complete. Returns its size, or 0 if it is not. */
static size_t take_answer(struct remote_sender *s)
{
    const uint8_t *a = s->answer;
    if (s->answer_size < REMOTE_HEADER)
        return 0;
    uint32_t trace = a[1] | (uint32_t)a[2] << 8 | (uint32_t)a[3] << 16 | (uint32_t)a[4] << 24, size = a[5];
    struct sent *t = trace_at(s, trace);
    if (t == NULL || (a[6] | a[7] | a[8]) != 0 || (a[0] != REMOTE_STORED && a[0] != REMOTE_FAILED)) {
        give_up(s, "it breaks the protocol");
        return 0;
    }
    if (s->answer_size < REMOTE_HEADER + size)
        return 0;
    if (a[0] == REMOTE_FAILED && !t->failed)
        print_failure(s, t, a + REMOTE_HEADER, size);
    pthread_mutex_lock(&s->lock);
    t->has_answer = true;
    t->failed |= a[0] == REMOTE_FAILED;
    if (t->failed && t->pipe >= 0) {
        close_pipe(t);
        pthread_mutex_unlock(&s->lock);
        send_frame(s, REMOTE_END, trace, NULL, 0);
    } else {
        pthread_mutex_unlock(&s->lock);
    }
    return REMOTE_HEADER + size;
}

static void hear_answers(struct remote_sender *s)
{
    ssize_t n =
        recv(s->connection, s->answer + s->answer_size, sizeof s->answer - s->answer_size, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        give_up(s, n == 0 ? "it has closed the connection" : strerror(errno));
        return;
    }
    s->answer_size += (size_t)n;
    for (size_t size; (size = take_answer(s)) > 0;) {
        s->answer_size -= size;
        memmove(s->answer, s->answer + size, s->answer_size);
    }
}

/* Tells the receiver of traces that have begun. Returns false when there is nothing left to do. */
static bool tell_new(struct remote_sender *s, size_t *known)
{
    struct sent *t;
    while ((t = trace_at(s, *known)) != NULL) {
        if (send_frame(s, REMOTE_OPEN, *known, t->name, strlen(t->name)) != 0)
            break;
        ++*known;
    }
    pthread_mutex_lock(&s->lock);
    bool open = false, answered = true;
    for (size_t i = 0; i < s->count; ++i) {
        open |= s->traces[i]->pipe >= 0;
        answered &= s->traces[i]->has_answer;
    }
    bool more = !s->gone && (!s->finishing || open || !answered);
    pthread_mutex_unlock(&s->lock);
    return more;
}

/* The pipes of those that are known, in the order of their numbers; poll() ignores -1. */
static size_t list_pipes(struct remote_sender *s, size_t known, struct pollfd **fds, size_t *capacity)
{
    pthread_mutex_lock(&s->lock);
    size_t count = known + 2;
    if (count > *capacity) {
        struct pollfd *more = realloc(*fds, 2 * count * sizeof **fds);
        if (more != NULL) {
            *fds = more;
            *capacity = 2 * count;
        }
        count = count < *capacity ? count : *capacity;
    }
    (*fds)[0] = (struct pollfd){s->wake, POLLIN, 0};
    (*fds)[1] = (struct pollfd){s->connection, POLLIN, 0};
    for (size_t i = 2; i < count; ++i)
        (*fds)[i] = (struct pollfd){s->traces[i - 2]->pipe, POLLIN, 0};
    pthread_mutex_unlock(&s->lock);
    return count;
}

static bool is_finishing(struct remote_sender *s)
{
    pthread_mutex_lock(&s->lock);
    bool finishing = s->finishing;
    pthread_mutex_unlock(&s->lock);
    return finishing;
}

static void *run_sender(void *argument)
{
    struct remote_sender *s = argument;
    size_t known = 0, capacity = 2;
    struct pollfd *fds = malloc(capacity * sizeof *fds);
    int64_t last = clock_milliseconds();
    while (fds != NULL && tell_new(s, &known)) {
        size_t count = list_pipes(s, known, &fds, &capacity);
        int ready = poll(fds, count, STORED_MS / 10);
        uint64_t drop;
        if (ready > 0 && (fds[0].revents & POLLIN) != 0 && read(s->wake, &drop, sizeof drop) < 0)
            continue;
        if (ready > 0 && fds[1].revents != 0)
            hear_answers(s);
        for (size_t i = 2; ready > 0 && i < count; ++i)
            if (fds[i].revents != 0)
                forward(s, i - 2);
        last = ready > 0 || !is_finishing(s) ? clock_milliseconds() : last;
        if (clock_milliseconds() - last >= STORED_MS)
            give_up(s, "it does not answer");
    }
    free(fds);
    return NULL;
}

/* --- the owner's side ---------------------------------------------------------------------------------- */

static void free_sender(struct remote_sender *s)
{
    for (size_t i = 0; i < s->count; ++i) {
        close_pipe(s->traces[i]);
        free(s->traces[i]);
    }
    free(s->traces);
    free(s->piece);
    if (s->connection >= 0)
        close(s->connection);
    if (s->wake >= 0)
        close(s->wake);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

int remote_sender_connect(struct remote_sender **out, const char *address, const struct remote_token *token)
{
    struct remote_sender *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    pthread_mutex_init(&s->lock, NULL);
    s->address = address;
    s->connection = -1;
    s->piece = malloc(PIECE);
    s->wake = eventfd(0, EFD_CLOEXEC);
    int rc = s->piece != NULL && s->wake >= 0 ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc == 0)
        rc = network_connect(&s->connection, address);
    if (rc == 0 && (rc = say_hello(s->connection, token)) != 0)
        trace_error_prefix(rc, "%s", address);
    if (rc == 0 && worker_thread_start(&s->thread, run_sender, s) != 0)
        rc = trace_error_set(TRACE_ERR_MEMORY, "cannot start a thread");
    if (rc != 0) {
        free_sender(s);
        return rc;
    }
    *out = s;
    return 0;
}

static void wake_thread(struct remote_sender *s)
{
    const uint64_t one = 1;
    if (write(s->wake, &one, sizeof one) < 0)
        return; /* it has been woken already */
}

/* Returns 0, or an error. Takes over t if it succeeds. */
static int add_trace(struct remote_sender *s, struct sent *t)
{
    int rc = 0;
    pthread_mutex_lock(&s->lock);
    if (s->gone)
        rc = trace_error_set(TRACE_ERR_IO, "%s: the receiver has gone", s->address);
    else if (s->count == REMOTE_TRACES_MAX || ARRAY_RESERVE(s->traces, s->count, s->capacity) != 0)
        rc = trace_error_set(TRACE_ERR_MEMORY, "%s: too many traces", s->address);
    else
        s->traces[s->count++] = t;
    pthread_mutex_unlock(&s->lock);
    return rc;
}

int remote_sender_open(struct remote_sender *s, const char *name)
{
    int ends[2];
    struct sent *t = calloc(1, sizeof *t);
    if (t == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (pipe2(ends, O_CLOEXEC) != 0) {
        free(t);
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot make a pipe");
    }
    fcntl(ends[0], F_SETPIPE_SZ, PIPE_SIZE);
    snprintf(t->name, sizeof t->name, "%.*s", REMOTE_NAME_MAX, *name != '\0' ? name : "program");
    t->pipe = ends[0];
    int rc = add_trace(s, t);
    if (rc != 0) {
        close(ends[0]);
        close(ends[1]);
        free(t);
        return rc;
    }
    wake_thread(s);
    return ends[1];
}

unsigned remote_sender_finish(struct remote_sender *s)
{
    unsigned lost = 0;
    pthread_mutex_lock(&s->lock);
    s->finishing = true;
    pthread_mutex_unlock(&s->lock);
    wake_thread(s);
    pthread_join(s->thread, NULL);
    if (!s->gone)
        send_frame(s, REMOTE_BYE, 0, NULL, 0);
    for (size_t i = 0; i < s->count; ++i)
        lost += !s->traces[i]->has_answer || s->traces[i]->failed;
    free_sender(s);
    return lost;
}
