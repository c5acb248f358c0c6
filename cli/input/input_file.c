/* SPDX-License-Identifier: MIT */
#include "input/input_file.h"

#include "base/error.h"
#include "base/temporary_file.h"
#include "base/write_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_BYTES ((size_t)1 << 16)

static int copy_all(struct trace_file *from, int to)
{
    char bytes[COPY_BYTES];
    size_t got;
    for (uint64_t offset = 0;; offset += got) {
        int rc = trace_file_read_at(from, offset, bytes, sizeof bytes, &got);
        if (rc != 0 || got == 0)
            return rc;
        if (write_all(to, bytes, got) != 0)
            return trace_error_set_errno(TRACE_ERR_IO, errno,
                                         "cannot write a temporary file (TMPDIR says where)");
    }
}

/* An unlinked file can be opened repeatedly through /proc. */
static int copy_to_temporary(struct input_file *f, struct trace_file *from)
{
    int rc = temporary_file_open(&f->fd);
    if (rc != 0)
        return rc;
    snprintf(f->proc_path, sizeof f->proc_path, "/proc/self/fd/%d", f->fd);
    f->path = f->proc_path;
    rc = copy_all(from, f->fd);
    if (rc != 0)
        input_file_close(f);
    return rc;
}

int input_file_open_probed(struct input_file *f, struct trace_probe *probe, const char *path)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *f = (struct input_file){.name = is_stdin ? "standard input" : path, .path = path, .fd = -1};
    if (probe->is_directory || !probe->file.is_pipe)
        return 0; /* the reader will report any problem */
    int rc = copy_to_temporary(f, &probe->file);
    return rc == 0 ? 0 : trace_error_prefix(rc, "%s", f->name);
}

int input_file_open(struct input_file *f, const char *path)
{
    struct trace_probe probe;
    int rc = trace_probe_open(&probe, path);
    if (rc == 0)
        rc = input_file_open_probed(f, &probe, path);
    trace_probe_close(&probe);
    return rc;
}

void input_file_close(struct input_file *f)
{
    if (f->path == f->proc_path && f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

int input_file_mend_message(const struct input_file *f, int rc)
{
    char message[512];
    size_t n = rc == 0 ? 0 : strlen(f->proc_path);
    if (n == 0 || strncmp(trace_error_message(), f->proc_path, n) != 0)
        return rc;
    snprintf(message, sizeof message, "%s", trace_error_message() + n);
    return trace_error_set(rc, "%s%s", f->name, message);
}
