/* SPDX-License-Identifier: MIT */
#include "trace/probe.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_directory(const char *path)
{
    struct stat st;
    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int open_file(struct trace_probe *p, const char *path)
{
    int rc = trace_file_open(&p->file, path);
    if (rc == 0)
        rc = trace_file_read_at(&p->file, 0, p->head, sizeof p->head, &p->head_count);
    return rc == 0 ? 0 : trace_error_prefix(rc, "%s", p->name);
}

int trace_probe_open(struct trace_probe *p, const char *path)
{
    memset(p, 0, sizeof *p);
    p->file.fd = -1;
    p->name = strdup(strcmp(path, "-") == 0 ? "standard input" : path);
    if (p->name == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    p->is_directory = is_directory(path);
    int rc = p->is_directory ? 0 : open_file(p, path);
    return rc;
}

void trace_probe_close(struct trace_probe *p)
{
    trace_file_close(&p->file);
    free(p->name);
    p->name = NULL;
}

void trace_probe_take_file(struct trace_probe *p, struct trace_file *out)
{
    *out = p->file;
    p->file.fd = -1;
}
