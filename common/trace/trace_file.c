/* SPDX-License-Identifier: MIT */
#include "trace/trace_file.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROW_STEP ((size_t)1 << 20)

static int open_descriptor(const char *path)
{
    if (strcmp(path, "-") == 0)
        return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    return open(path, O_RDONLY | O_CLOEXEC);
}

int trace_file_open(struct trace_file *f, const char *path)
{
    struct stat st;
    memset(f, 0, sizeof *f);
    f->fd = open_descriptor(path);
    if (f->fd < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot open");
    int rc = 0;
    if (fstat(f->fd, &st) != 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "cannot stat");
    else if (S_ISDIR(st.st_mode))
        rc = trace_error_set(TRACE_ERR_IO, "cannot read: it is a directory");
    if (rc != 0) {
        trace_file_close(f);
        return rc;
    }
    /* If the standard input is a regular file, its beginning may already have been read. */
    f->is_pipe = !S_ISREG(st.st_mode) || (strcmp(path, "-") == 0 && lseek(f->fd, 0, SEEK_CUR) != 0);
    f->size = f->is_pipe ? UINT64_MAX : (uint64_t)st.st_size;
    return 0;
}

void trace_file_close(struct trace_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

/* Calls read() or pread() until count bytes have been read, or the file ends. */
static int read_fully(struct trace_file *f, uint64_t offset, uint8_t *bytes, size_t count, size_t *got)
{
    *got = 0;
    while (*got < count) {
        ssize_t n = f->is_pipe ? read(f->fd, bytes + *got, count - *got)
                               : pread(f->fd, bytes + *got, count - *got, (off_t)(offset + *got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN) { /* whoever shares the pipe with us has made it non-blocking */
            poll(&(struct pollfd){f->fd, POLLIN, 0}, 1, -1);
            continue;
        }
        if (n < 0)
            return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot read at file offset %llu",
                                         (unsigned long long)(offset + *got));
        if (n == 0)
            break;
        *got += (size_t)n;
    }
    return 0;
}

static int read_head(struct trace_file *f)
{
    if (f->position > 0 || f->head_count > 0)
        return 0;
    int rc = read_fully(f, 0, f->head, sizeof f->head, &f->head_count);
    f->position = f->head_count;
    return rc;
}

/* Skips the bytes between the last byte read and offset. */
static int skip_to(struct trace_file *f, uint64_t offset)
{
    uint8_t waste[4096];
    while (f->position < offset) {
        uint64_t left = offset - f->position;
        size_t want = left < sizeof waste ? (size_t)left : sizeof waste;
        size_t got;
        int rc = read_fully(f, f->position, waste, want, &got);
        f->position += got;
        if (rc != 0 || got < want)
            return rc;
    }
    return f->position == offset
               ? 0
               : trace_error_set(TRACE_ERR_UNSUPPORTED,
                                 "cannot go back in a pipe: copy the trace to a file first");
}

static int read_pipe(struct trace_file *f, uint64_t offset, uint8_t *bytes, size_t count, size_t *got)
{
    size_t done = 0;
    int rc = read_head(f);
    *got = 0;
    if (rc == 0 && offset < f->head_count) {
        done = f->head_count - (size_t)offset;
        done = done < count ? done : count;
        memcpy(bytes, f->head + offset, done);
        *got = done;
    }
    if (rc != 0 || done == count || (rc = skip_to(f, offset + done)) != 0)
        return rc;
    if (f->position < offset + done)
        return 0; /* the end of the file */
    rc = read_fully(f, f->position, bytes + done, count - done, got);
    f->position += *got;
    *got += done;
    return rc;
}

int trace_file_read_at(struct trace_file *f, uint64_t offset, void *bytes, size_t count, size_t *got)
{
    *got = 0;
    if (f->is_pipe)
        return read_pipe(f, offset, bytes, count, got);
    if (offset >= f->size)
        return 0;
    if (count > f->size - offset)
        count = (size_t)(f->size - offset);
    return read_fully(f, offset, bytes, count, got);
}

int trace_file_read_all(struct trace_file *f, uint64_t offset, uint64_t count, struct buf *out)
{
    buf_clear(out);
    while (out->len < count) {
        uint64_t left = count - out->len;
        size_t step = out->len < GROW_STEP ? GROW_STEP : out->len;
        size_t got;
        step = left < step ? (size_t)left : step;
        int rc = buf_reserve(out, step);
        if (rc == 0)
            rc = trace_file_read_at(f, offset + out->len, out->data + out->len, step, &got);
        if (rc != 0)
            return rc;
        out->len += got;
        if (got < step)
            return 0;
    }
    return 0;
}
