/* SPDX-License-Identifier: MIT */
#include "trace/text/blob_file.h"

#include "base/error.h"
#include "base/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int write_file(const char *path, const uint8_t *bytes, uint64_t count)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot create", path);
    int rc = 0;
    if (write_all(fd, bytes, (size_t)count) != 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot write", path);
    if (close(fd) != 0 && rc == 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot write", path);
    return rc;
}

int trace_blob_write_file(char path[TRACE_BLOB_PATH_SIZE], const uint8_t *bytes, uint64_t count,
                          uint64_t call_number, unsigned index)
{
    if (index == 0)
        snprintf(path, TRACE_BLOB_PATH_SIZE, "blob_call%llu.bin", (unsigned long long)call_number);
    else
        snprintf(path, TRACE_BLOB_PATH_SIZE, "blob_call%llu_%u.bin", (unsigned long long)call_number, index);
    return write_file(path, bytes, count);
}
