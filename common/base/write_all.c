/* SPDX-License-Identifier: MIT */
#include "base/write_all.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

int write_all(int fd, const void *bytes, size_t count)
{
    const uint8_t *p = bytes;
    while (count > 0) {
        ssize_t n = write(fd, p, count);
        if (n < 0 && errno != EINTR)
            return -1;
        if (n > 0) {
            p += n;
            count -= (size_t)n;
        }
    }
    return 0;
}
