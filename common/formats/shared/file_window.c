/* SPDX-License-Identifier: MIT */
#include "formats/shared/file_window.h"

#include "base/error.h"
#include "base/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define STEP            ((size_t)256 << 10) /* small enough to stay in the processor's cache */
#define REPORT_INTERVAL ((uint64_t)1 << 20)

void file_window_init(struct file_window *w, struct trace_file *file)
{
    *w = (struct file_window){.file = file};
}

void file_window_fini(struct file_window *w)
{
    buf_fini(&w->bytes);
}

static void report(struct file_window *w, uint64_t offset)
{
    if (w->progress.report == NULL || offset < w->reported + REPORT_INTERVAL)
        return;
    w->reported = offset;
    w->progress.report(w->progress.context, offset, w->file->size);
}

/* Moves the bytes from offset on to the start of the buffer. */
static void move_to(struct file_window *w, uint64_t offset)
{
    uint64_t at = offset - w->start;
    if (offset >= w->start && at < w->bytes.len)
        buf_consume(&w->bytes, (size_t)at);
    else
        buf_clear(&w->bytes);
    w->start = offset;
}

int file_window_load(struct file_window *w, uint64_t offset, size_t count, const uint8_t **out, size_t *got)
{
    move_to(w, offset);
    report(w, offset);
    while (w->bytes.len < count) {
        size_t read;
        int rc = buf_reserve(&w->bytes, STEP);
        if (rc == 0)
            rc = trace_file_read_at(w->file, w->start + w->bytes.len, w->bytes.data + w->bytes.len, STEP,
                                    &read);
        if (rc != 0)
            return rc;
        w->bytes.len += read;
        if (read < STEP)
            break;
    }
    *out = w->bytes.data;
    *got = w->bytes.len;
    return 0;
}

/* --- pipes ----------------------------------------------------------------------------------------- */

static int open_temporary(void)
{
    const char *directory = getenv("TMPDIR");
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/trace-cli.XXXXXX",
                     directory != NULL && *directory != '\0' ? directory : "/tmp");
    if (n < 0 || (size_t)n >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static int copy_to(int fd, struct trace_file *from, uint64_t *size)
{
    uint8_t *bytes = malloc(STEP);
    size_t got = 0;
    int rc = bytes != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (*size = 0; rc == 0; *size += got) {
        rc = trace_file_read_at(from, *size, bytes, STEP, &got);
        if (rc != 0 || got == 0)
            break;
        if (write_all(fd, bytes, got) != 0)
            rc = trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write a temporary file");
    }
    free(bytes);
    return rc;
}

int file_window_make_seekable(struct trace_file *file)
{
    uint64_t size;
    if (!file->is_pipe)
        return 0;
    int fd = open_temporary();
    if (fd < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot create a temporary file");
    int rc = copy_to(fd, file, &size);
    if (rc != 0) {
        close(fd);
        return rc;
    }
    trace_file_close(file);
    *file = (struct trace_file){.fd = fd, .size = size};
    return 0;
}
