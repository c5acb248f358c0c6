/* SPDX-License-Identifier: MIT */
#include "base/write_all.h"

#include "base/error.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

/* Checks the result of write() or writev(). Returns the number of bytes, 0 if interrupted by a signal, or an
 * error. Whoever shares a pipe with us may have made it non-blocking; then waits until it has room. */
static ssize_t check(int fd, ssize_t n)
{
    if (n >= 0 || errno == EINTR)
        return n >= 0 ? n : 0;
    int reason = errno;
    if (reason == EAGAIN) {
        poll(&(struct pollfd){fd, POLLOUT, 0}, 1, -1);
        return 0;
    }
    trace_error_set_errno(TRACE_ERR_IO, reason, "cannot write");
    errno = reason;
    return TRACE_ERR_IO;
}

int write_all(int fd, const void *bytes, size_t count)
{
    const uint8_t *p = bytes;
    while (count > 0) {
        ssize_t n = check(fd, write(fd, p, count));
        if (n < 0)
            return (int)n;
        p += n;
        count -= (size_t)n;
    }
    return 0;
}

int write_all_both(int fd, const void *first, size_t first_count, const void *second, size_t second_count)
{
    const uint8_t *p = first, *q = second;
    while (first_count > 0) {
        const struct iovec parts[] = {{(void *)(uintptr_t)p, first_count},
                                      {(void *)(uintptr_t)q, second_count}};
        ssize_t n = check(fd, writev(fd, parts, 2));
        if (n < 0)
            return (int)n;
        size_t of_first = (size_t)n < first_count ? (size_t)n : first_count;
        p += of_first;
        first_count -= of_first;
        q += (size_t)n - of_first;
        second_count -= (size_t)n - of_first;
    }
    return write_all(fd, q, second_count);
}
