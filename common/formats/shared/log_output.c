/* SPDX-License-Identifier: MIT */
#include "formats/shared/log_output.h"

#include "base/error.h"
#include "base/write_all.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define CAPACITY ((size_t)256 << 10) /* small enough to stay in the processor's cache */

int log_output_open(struct log_output *o, const char *path)
{
    *o = (struct log_output){.fd = STDOUT_FILENO, .file.fd = -1};
    o->bytes = malloc(CAPACITY);
    if (o->bytes == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    o->cap = CAPACITY;
    if (strcmp(path, "-") == 0)
        return 0;
    int rc = new_file_open(&o->file, path);
    o->fd = o->file.fd;
    if (rc != 0)
        free(o->bytes);
    return rc;
}

int log_output_flush(struct log_output *o)
{
    size_t count = o->len;
    o->len = 0;
    return write_all(o->fd, o->bytes, count) == 0
               ? 0
               : trace_error_set_errno(TRACE_ERR_IO, errno,
                                       o->file.fd >= 0 ? "cannot write"
                                                       : "cannot write to the standard output");
}

char *log_output_make_room(struct log_output *o, size_t count)
{
    if (log_output_flush(o) != 0)
        return NULL;
    if (count > o->cap) {
        char *bytes = realloc(o->bytes, count);
        if (bytes == NULL) {
            trace_error_set(TRACE_ERR_MEMORY, "out of memory");
            return NULL;
        }
        o->bytes = bytes;
        o->cap = count;
    }
    return o->bytes;
}

int log_output_put(struct log_output *o, const void *bytes, size_t count)
{
    char *p = log_output_reserve(o, count);
    if (p == NULL)
        return TRACE_ERR_IO;
    if (count > 0)
        memcpy(p, bytes, count);
    log_output_take(o, p + count);
    return 0;
}

int log_output_close(struct log_output *o)
{
    int rc = log_output_flush(o);
    free(o->bytes);
    o->bytes = NULL;
    if (o->file.fd < 0)
        return rc;
    if (rc != 0) {
        new_file_abandon(&o->file);
        return rc;
    }
    return new_file_commit(&o->file);
}

void log_output_abandon(struct log_output *o)
{
    free(o->bytes);
    o->bytes = NULL;
    if (o->file.fd >= 0)
        new_file_abandon(&o->file);
}

int log_output_end(struct log_output *o, int rc)
{
    if (rc == 0)
        return log_output_close(o);
    log_output_abandon(o);
    return rc;
}
