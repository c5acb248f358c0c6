/* SPDX-License-Identifier: MIT */
#include "base/write_all.h"

#include "base/error.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

int write_all(int fd, const void *bytes, size_t count)
{
    const uint8_t *p = bytes;
    while (count > 0) {
        ssize_t n = write(fd, p, count);
        if (n < 0 && errno != EINTR) {
            int reason = errno;
            trace_error_set_errno(TRACE_ERR_IO, reason, "cannot write");
            errno = reason;
            return TRACE_ERR_IO;
        }
        if (n > 0) {
            p += n;
            count -= (size_t)n;
        }
    }
    return 0;
}
