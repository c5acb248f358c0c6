/* SPDX-License-Identifier: MIT */
#include "run/network_address.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HOST_SIZE  256
#define PORT_MAX   65535
#define BACKLOG    16
#define CONNECT_MS 10000
#define SILENCE_S  20 /* before the other side is asked whether it is there */
#define ASK_S      10 /* between such questions */
#define ASK_TIMES  4
#define ANSWER_MS  60000

struct place {
    char host[HOST_SIZE];
    const char *port;
};

/* getaddrinfo() takes a number above 65535 modulo 65536. Names of services, such as http, are left to it. */
static bool is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return text[0] != '\0' && (text[digits] != '\0' || (digits < 8 && atol(text) <= PORT_MAX));
}

static int parse(struct place *out, const char *address)
{
    const char *colon = strrchr(address, ':');
    size_t length = colon != NULL ? (size_t)(colon - address) : 0;
    bool brackets = length > 2 && address[0] == '[' && address[length - 1] == ']';
    size_t skipped = brackets ? 1 : 0;
    if (length == 0 || !is_port(colon + 1) || length >= sizeof out->host ||
        (!brackets && (address[0] == '[' || memchr(address, ':', length) != NULL)))
        return trace_error_set(TRACE_ERR_USAGE, "'%s' is not HOST:PORT, as in localhost:7000 or [::1]:7000",
                               address);
    memcpy(out->host, address + skipped, length - 2 * skipped);
    out->host[length - 2 * skipped] = '\0';
    out->port = colon + 1;
    return 0;
}

static int resolve(struct addrinfo **out, const char *address)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct place place;
    int rc = parse(&place, address);
    if (rc != 0)
        return rc;
    int code = getaddrinfo(place.host, place.port, &hints, out);
    if (code == EAI_SYSTEM)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s", address);
    return code == 0 ? 0 : trace_error_set(TRACE_ERR_IO, "%s: %s", address, gai_strerror(code));
}

static void name_address(char *name, const struct sockaddr *address, socklen_t size)
{
    char host[64], port[8];
    if (getnameinfo(address, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) !=
        0)
        snprintf(name, NETWORK_NAME_SIZE, "an unknown address");
    else
        snprintf(name, NETWORK_NAME_SIZE, strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
}

/* The end of a machine or of a cable is no message: it is noticed by asking. */
static void notice_silence(int fd)
{
    const int on = 1, silence = SILENCE_S, ask = ASK_S, times = ASK_TIMES, answer = ANSWER_MS;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &silence, sizeof silence);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &ask, sizeof ask);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &answer, sizeof answer);
}

static int listen_at(int *out, const struct addrinfo *a, char *name)
{
    const int on = 1;
    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (a->ai_family == AF_INET6) /* [::] is not 0.0.0.0, too */
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, a->ai_addr, a->ai_addrlen) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&bound, &size) != 0) {
        int saved = errno;
        close(fd);
        errno = saved;
        return -1;
    }
    name_address(name, (const struct sockaddr *)&bound, size);
    *out = fd;
    return 0;
}

int network_listen(int *out, const char *address, char *name)
{
    struct addrinfo *list;
    int rc = resolve(&list, address);
    if (rc != 0)
        return rc;
    rc = -1;
    for (const struct addrinfo *a = list; a != NULL && rc != 0; a = a->ai_next)
        rc = listen_at(out, a, name);
    int reason = errno;
    freeaddrinfo(list);
    return rc == 0 ? 0 : trace_error_set_errno(TRACE_ERR_IO, reason, "%s: cannot listen", address);
}

static int wait_for_connection(int fd)
{
    struct pollfd p = {fd, POLLOUT, 0};
    int error = 0, n;
    socklen_t size = sizeof error;
    do
        n = poll(&p, 1, CONNECT_MS);
    while (n < 0 && errno == EINTR);
    if (n == 0)
        errno = ETIMEDOUT;
    if (n <= 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        return -1;
    errno = error;
    return error == 0 ? 0 : -1;
}

static int connect_to(int *out, const struct addrinfo *a)
{
    int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
    if (fd < 0)
        return -1;
    int rc = connect(fd, a->ai_addr, a->ai_addrlen);
    if (rc != 0 && errno == EINPROGRESS)
        rc = wait_for_connection(fd);
    if (rc != 0) {
        int saved = errno;
        close(fd);
        errno = saved;
        return -1;
    }
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    notice_silence(fd);
    *out = fd;
    return 0;
}

int network_connect(int *out, const char *address)
{
    struct addrinfo *list;
    int rc = resolve(&list, address);
    if (rc != 0)
        return rc;
    rc = -1;
    for (const struct addrinfo *a = list; a != NULL && rc != 0; a = a->ai_next)
        rc = connect_to(out, a);
    int reason = errno;
    freeaddrinfo(list);
    return rc == 0 ? 0 : trace_error_set_errno(TRACE_ERR_IO, reason, "%s: cannot connect", address);
}

int network_accept(int listener, char *name)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    int fd = accept4(listener, (struct sockaddr *)&address, &size, SOCK_CLOEXEC);
    if (fd < 0)
        return -1;
    name_address(name, (const struct sockaddr *)&address, size);
    notice_silence(fd);
    return fd;
}
