/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_files.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MOST_OPEN  512
#define LEAST_OPEN 4

/* Half of what the process may have: outputs and others need some, too. */
static size_t find_most(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur / 2 > MOST_OPEN)
        return MOST_OPEN;
    return limit.rlim_cur / 2 < LEAST_OPEN ? LEAST_OPEN : (size_t)(limit.rlim_cur / 2);
}

/* --- the list of open files ------------------------------------------------------------------------ */

static bool is_open(const struct ctf_file *f)
{
    return f->newer != NULL || f->older != NULL || (f->pool != NULL && f->pool->newest == f);
}

static void unlink_file(struct ctf_file *f)
{
    *(f->newer != NULL ? &f->newer->older : &f->pool->newest) = f->older;
    *(f->older != NULL ? &f->older->newer : &f->pool->oldest) = f->newer;
    f->newer = f->older = NULL;
}

static void link_newest(struct ctf_file *f)
{
    f->older = f->pool->newest;
    *(f->older != NULL ? &f->older->newer : &f->pool->oldest) = f;
    f->pool->newest = f;
}

static void shut(struct ctf_file *f)
{
    unlink_file(f);
    trace_file_close(&f->file);
    f->pool->count--;
}

static int make_open(struct ctf_file *f)
{
    struct ctf_files *pool = f->pool;
    if (pool->newest == f)
        return 0;
    if (is_open(f)) {
        unlink_file(f);
        link_newest(f);
        return 0;
    }
    if (pool->most == 0)
        pool->most = find_most();
    while (pool->count >= pool->most)
        shut(pool->oldest);
    int rc = trace_file_open(&f->file, f->path);
    if (rc == 0) {
        link_newest(f);
        pool->count++;
    }
    return rc;
}

/* --- files ------------------------------------------------------------------------------------------ */

int ctf_file_open(struct ctf_file *f, struct ctf_files *pool, const char *path)
{
    *f = (struct ctf_file){.pool = pool, .path = strdup(path)};
    if (f->path == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    int rc = make_open(f);
    if (rc == 0 && f->file.is_pipe)
        rc = trace_error_set(TRACE_ERR_IO, "a stream must be a regular file");
    f->size = rc == 0 ? f->file.size : 0;
    if (rc != 0) {
        trace_error_prefix(rc, "%s", path);
        ctf_file_close(f);
    }
    return rc;
}

void ctf_file_close(struct ctf_file *f)
{
    if (is_open(f))
        shut(f);
    free(f->path);
    *f = (struct ctf_file){.path = NULL};
}

int ctf_file_read_at(struct ctf_file *f, uint64_t offset, void *bytes, size_t count, size_t *got)
{
    int rc = make_open(f);
    if (rc == 0)
        rc = trace_file_read_at(&f->file, offset, bytes, count, got);
    return rc == 0 ? 0 : trace_error_prefix(rc, "%s", f->path);
}

int ctf_file_read_all(struct ctf_file *f, uint64_t offset, uint64_t count, struct buf *out)
{
    int rc = make_open(f);
    if (rc == 0)
        rc = trace_file_read_all(&f->file, offset, count, out);
    return rc == 0 ? 0 : trace_error_prefix(rc, "%s", f->path);
}
