/* SPDX-License-Identifier: MIT */
#include "run/remote_receiver.h"

#include "run/network_address.h"
#include "run/received_end.h"
#include "run/remote_protocol.h"
#include "run/snappy_end.h"
#include "shell/amounts.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/hash_map.h"
#include "base/write_all.h"
#include "process/trace_file_name.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- who may send ------------------------------------------------------------------------------------ */

#define CALLERS  16    /* that have not said their token yet */
#define HELLO_MS 10000 /* for saying it */

struct caller {
    int fd;
    int64_t since; /* milliseconds */
    char name[NETWORK_NAME_SIZE];
    uint8_t hello[REMOTE_HELLO_MAX];
    size_t size;
};

struct callers {
    struct caller list[CALLERS]; /* the oldest first */
    unsigned count;
};

static void send_away(struct callers *c, unsigned index, const char *why)
{
    struct caller *caller = &c->list[index];
    const uint8_t refused = REMOTE_REFUSED;
    send(caller->fd, &refused, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    close(caller->fd);
    fprintf(stderr, "trace-cli: warning: %s was sent away: %s\n", caller->name, why);
    c->count--;
    memmove(caller, caller + 1, (c->count - index) * sizeof *caller);
}

static void accept_caller(struct callers *c, int listener)
{
    char name[NETWORK_NAME_SIZE];
    int fd = network_accept(listener, name);
    if (fd < 0)
        return;
    if (c->count == CALLERS)
        send_away(c, 0, "too many connections");
    struct caller *caller = &c->list[c->count++];
    *caller = (struct caller){.fd = fd, .since = clock_milliseconds()};
    memcpy(caller->name, name, sizeof name);
}

/* Returns 1 if the caller knows the token, 0 if it is still to be seen, -1 if it was sent away. */
static int hear(struct callers *c, unsigned index, const struct remote_token *token)
{
    struct caller *caller = &c->list[index];
    const uint8_t *said;
    size_t size;
    ssize_t n =
        recv(caller->fd, caller->hello + caller->size, sizeof caller->hello - caller->size, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        if (clock_milliseconds() - caller->since < HELLO_MS)
            return 0;
        send_away(c, index, "it did not say its token");
        return -1;
    }
    caller->size += n > 0 ? (size_t)n : 0;
    int parsed = n > 0 ? remote_parse_hello(caller->hello, caller->size, &said, &size) : -1;
    if (parsed == 0)
        return 0;
    if (parsed > 0 && remote_token_is(token, said, size))
        return 1;
    send_away(c, index, parsed < 0 ? "it is no trace-cli" : "its token is wrong");
    return -1;
}

/* Returns the connection of the sender, or -1. */
static int find_sender(struct callers *c, const struct remote_token *token)
{
    for (unsigned i = 0; i < c->count;) {
        int heard = hear(c, i, token);
        if (heard > 0) {
            int fd = c->list[i].fd;
            const uint8_t accepted = REMOTE_ACCEPTED;
            fprintf(stderr, "trace-cli: receiving from %s\n", c->list[i].name);
            send(fd, &accepted, 1, MSG_NOSIGNAL);
            c->count--;
            memmove(&c->list[i], &c->list[i + 1], (c->count - i) * sizeof c->list[0]);
            return fd;
        }
        i += heard == 0;
    }
    return -1;
}

int remote_receiver_wait(int listener, const struct remote_token *token)
{
    struct callers c = {.count = 0};
    int sender = -1;
    while (sender < 0) {
        struct pollfd fds[CALLERS + 1] = {{listener, POLLIN, 0}};
        for (unsigned i = 0; i < c.count; ++i)
            fds[i + 1] = (struct pollfd){c.list[i].fd, POLLIN, 0};
        if (poll(fds, c.count + 1, c.count > 0 ? HELLO_MS / 10 : -1) < 0 && errno != EINTR)
            return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot wait for a sender");
        sender = find_sender(&c, token);
        if (sender < 0 && (fds[0].revents & POLLIN) != 0)
            accept_caller(&c, listener);
    }
    while (c.count > 0)
        send_away(&c, 0, "another one is sending");
    return sender;
}

/* --- what it sends ----------------------------------------------------------------------------------- */

#define READ_SIZE ((size_t)256 << 10)

struct received {
    int file; /* -1: it has ended, or failed */
    uint64_t bytes;
    struct snappy_end end;
    char name[PATH_MAX];
};

struct receiver {
    int connection;
    uint64_t limit, total;
    struct remote_received result;
    struct received **traces;
    size_t count, capacity;
    struct string_map numbers; /* by name: the number that the next trace of this name may have */
};

static void answer(const struct receiver *r, enum remote_answer kind, uint32_t trace, const char *text)
{
    uint8_t message[REMOTE_HEADER + REMOTE_NAME_MAX];
    size_t size = strlen(text) < REMOTE_NAME_MAX ? strlen(text) : REMOTE_NAME_MAX;
    remote_put_header(message, kind, trace, (uint32_t)size);
    memcpy(message + REMOTE_HEADER, text, size);
    send(r->connection, message, REMOTE_HEADER + size, MSG_NOSIGNAL);
}

/* The trace ends here, after its last whole chunk, and both sides are told why. Its other bytes are dropped.
 */
static void fail(struct receiver *r, uint32_t trace, const char *why)
{
    struct received *t = r->traces[trace];
    fprintf(stderr, "trace-cli: error: %s\n", why);
    r->result.incomplete++;
    answer(r, REMOTE_FAILED, trace, why);
    if (t->file >= 0) {
        snappy_end_cut(&t->end, t->file);
        close(t->file);
    }
    t->file = -1;
}

/* A sender may have thousands of traces of one name. */
static int create_file(struct receiver *r, struct received *t, const char *name)
{
    uint64_t known;
    unsigned number = string_map_get(&r->numbers, name, &known) ? (unsigned)known : 0;
    int fd =
        trace_file_create_next(t->name, sizeof t->name, NULL, false, name, NULL, TRACE_FILE_SUFFIX, &number);
    if (fd >= 0 && string_map_set(&r->numbers, name, number) != 0) {
        close(fd);
        return TRACE_ERR_MEMORY;
    }
    return fd;
}

static int open_trace(void *context, uint32_t trace, const char *name)
{
    struct receiver *r = context;
    char clean[REMOTE_NAME_MAX + 1];
    struct received *t = calloc(1, sizeof *t);
    if (t == NULL || ARRAY_RESERVE(r->traces, r->count, r->capacity) != 0) {
        free(t);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    r->traces[r->count++] = t;
    remote_clean_name(clean, name);
    t->file = create_file(r, t, clean);
    if (t->file < 0)
        fail(r, trace, trace_error_message());
    else
        r->result.traces++;
    return 0;
}

static int take_data(void *context, uint32_t trace, const uint8_t *bytes, size_t size)
{
    struct receiver *r = context;
    struct received *t = r->traces[trace];
    if (t->file < 0)
        return 0;
    if (r->limit > 0 && size > r->limit - r->total) {
        trace_error_set(TRACE_ERR_IO, "%s: more than the limit of --max-size; the trace ends there", t->name);
        fail(r, trace, trace_error_message());
        return 0;
    }
    if (write_all(t->file, bytes, size) != 0) {
        trace_error_prefix(TRACE_ERR_IO, "%s", t->name);
        fail(r, trace, trace_error_message());
        return 0;
    }
    r->total += size;
    t->bytes += size;
    snappy_end_follow(&t->end, bytes, size);
    return 0;
}

static int end_trace(void *context, uint32_t trace)
{
    struct receiver *r = context;
    struct received *t = r->traces[trace];
    char size[AMOUNT_SIZE];
    if (t->file < 0)
        return 0;
    if (close(t->file) != 0) {
        t->file = -1;
        trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot write", t->name);
        fail(r, trace, trace_error_message());
        return 0;
    }
    t->file = -1;
    amount_of_bytes(size, sizeof size, (double)t->bytes);
    fprintf(stderr, "trace-cli: %s: %s\n", t->name, size);
    answer(r, REMOTE_STORED, trace, "");
    return 0;
}

/* The trace did not end. It keeps what can be read, and gets an index if that is a Snappy stream. */
static void cut_off(struct receiver *r, struct received *t, const char *why)
{
    r->result.incomplete++;
    fprintf(stderr, "trace-cli: warning: %s: %s; the trace ends there\n", t->name, why);
    snappy_end_cut(&t->end, t->file);
    close(t->file);
    if (!t->end.is_other && received_end_complete(t->name) != 0)
        fprintf(stderr, "trace-cli: warning: no index: %s\n", trace_error_message());
}

static void end_all(struct receiver *r, const char *why)
{
    for (size_t i = 0; i < r->count; ++i) {
        struct received *t = r->traces[i];
        if (t->file >= 0)
            cut_off(r, t, why);
        free(t);
    }
    free(r->traces);
    string_map_fini(&r->numbers);
}

/* --- signals ---------------------------------------------------------------------------------------- */

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t is_interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    is_interrupted = 1;
}

/* From now on, the signals only come while wait_for_data() waits. Those that are ignored (as by nohup) stay
 * so. before: the signals that were blocked. */
static void hold_signals(sigset_t *before)
{
    struct sigaction old, action = {.sa_handler = interrupt};
    sigset_t held;
    sigemptyset(&action.sa_mask);
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; ++i) {
        sigaddset(&held, ending_signals[i]);
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(ending_signals[i], &action, NULL);
    }
    sigprocmask(SIG_BLOCK, &held, before);
}

static void wait_for_data(int connection, const sigset_t *signals)
{
    struct pollfd p = {connection, POLLIN, 0};
    ppoll(&p, 1, NULL, signals);
}

/* --- all of it -------------------------------------------------------------------------------------- */

static int receive_all(struct receiver *r, struct remote_parser *parser, uint8_t *bytes,
                       const sigset_t *signals)
{
    for (;;) {
        wait_for_data(r->connection, signals);
        if (is_interrupted)
            return 0;
        ssize_t n = recv(r->connection, bytes, READ_SIZE, MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return trace_error_set_errno(TRACE_ERR_IO, errno, "the sender has gone");
        if (n == 0)
            return trace_error_set(TRACE_ERR_IO, "the sender has gone");
        int rc = remote_parser_feed(parser, bytes, (size_t)n);
        if (rc != 0 || parser->said_bye)
            return rc;
    }
}

int remote_receive(int connection, uint64_t limit, struct remote_received *out)
{
    struct receiver r = {.connection = connection, .limit = limit};
    const struct remote_listener listener = {open_trace, take_data, end_trace, &r};
    struct remote_parser *parser = malloc(sizeof *parser);
    uint8_t *bytes = malloc(READ_SIZE);
    sigset_t before;
    int rc = parser != NULL && bytes != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc == 0) {
        remote_parser_init(parser, &listener);
        hold_signals(&before);
        rc = receive_all(&r, parser, bytes, &before);
        struct trace_kept_error why;
        trace_error_keep(&why, rc);
        end_all(&r, is_interrupted ? "interrupted" : "the sender has gone");
        if (rc != 0)
            rc = trace_error_restore(&why);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    free(parser);
    free(bytes);
    *out = r.result;
    return rc;
}
