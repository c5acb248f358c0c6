/* SPDX-License-Identifier: MIT */
#include "run/received_end.h"

#include "base/error.h"
#include "formats/apitrace/copy/index_file.h"
#include "formats/apitrace/copy/whole_events.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

/* Without the whole index, the file has none of it. */
static int append_index(const char *path, struct trace_index_file *index)
{
    off_t start = (off_t)trace_index_file_start(index);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot write", path);
    int rc = lseek(fd, start, SEEK_SET) < 0
                 ? trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot write", path)
                 : trace_index_file_write(index, fd);
    if (rc != 0 && ftruncate(fd, start) != 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot write", path);
    if (close(fd) != 0 && rc == 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot write", path);
    return rc;
}

int received_end_complete(const char *path)
{
    const struct trace_progress_callback none = {.report = NULL};
    struct trace_index_file *index;
    int rc = trace_cut_after_whole_event(path);
    if (rc == 0)
        rc = trace_index_file_read(&index, path, false, none);
    if (rc != 0 || index == NULL)
        return rc;
    rc = append_index(path, index);
    trace_index_file_free(index);
    return rc;
}
