/* SPDX-License-Identifier: MIT
 * The folder has a temporary name beside its own until it is complete. A signal removes it (base/new_file.h).
 * Metadata come last: what a killed process leaves behind is not read as a trace.
 */
#include "formats/ctf/write/ctf_out.h"

#include "base/array.h"
#include "base/error.h"
#include "base/new_file.h"
#include "base/remove_folder.h"
#include "base/write_all.h"
#include "formats/ctf/ctf_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

static char *join(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL)
        no_memory();
    else
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* --- folders --------------------------------------------------------------------------------------- */

/* What may be replaced: a folder that is empty, or that has metadata and no folders. */
static bool is_replaceable(const char *path)
{
    struct dirent *entry;
    struct stat st;
    bool is_flat = true, has_metadata = false, is_empty = true;
    DIR *dir = opendir(path);
    if (dir == NULL)
        return false;
    while (is_flat && (entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        is_empty = false;
        has_metadata |= strcmp(entry->d_name, CTF_METADATA_FILE) == 0;
        is_flat = fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
    }
    closedir(dir);
    return is_flat && (has_metadata || is_empty);
}

static int check_path(const char *path)
{
    struct stat st;
    if (strcmp(path, "-") == 0)
        return trace_error_set(TRACE_ERR_USAGE, "a trace of CTF is a folder: it needs a name, not \"-\"");
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? 0 : trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    if (S_ISDIR(st.st_mode) && is_replaceable(path))
        return 0;
    if (S_ISREG(st.st_mode) && st.st_size == 0)
        return 0;
    return trace_error_set(TRACE_ERR_USAGE,
                           "%s: it exists, and is not a trace of CTF that could be replaced: remove it, or "
                           "give another name",
                           path);
}

static void remove_temporary(const char *path)
{
    new_file_guard()->hold();
    remove_folder(path, 1);
    new_file_guard()->forget(path);
    new_file_guard()->release();
}

/* Fills the template. Sets errno on failure. */
static int create_temporary(char *path)
{
    mode_t mask = umask(0);
    umask(mask);
    new_file_guard()->hold();
    int rc = mkdtemp(path) != NULL ? 0 : -1, error = errno;
    if (rc == 0)
        new_file_guard()->add(path);
    new_file_guard()->release();
    if (rc == 0 && (rc = chmod(path, 0777 & ~mask)) != 0) {
        error = errno;
        remove_temporary(path);
    }
    errno = error;
    return rc;
}

int ctf_out_open(struct ctf_out *o, const char *path, const struct ctf_out_dialect *dialect)
{
    *o = (struct ctf_out){.dialect = dialect};
    int rc = check_path(path);
    if (rc != 0)
        return rc;
    size_t size = strlen(path) + 16, length = strlen(path);
    o->path = strdup(path);
    o->temporary = malloc(size);
    if (o->path == NULL || o->temporary == NULL) {
        ctf_out_abandon(o);
        return no_memory();
    }
    while (length > 1 && o->path[length - 1] == '/')
        o->path[--length] = '\0';
    snprintf(o->temporary, size, "%s.XXXXXX", o->path);
    if (create_temporary(o->temporary) != 0) {
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot create", path);
        free(o->temporary);
        o->temporary = NULL;
        ctf_out_abandon(o);
    }
    return rc;
}

/* --- traces ---------------------------------------------------------------------------------------- */

struct ctf_out_trace *ctf_out_add_trace(struct ctf_out *o, uint8_t order)
{
    char name[32];
    struct ctf_out_trace *t = calloc(1, sizeof *t);
    if (t == NULL || ARRAY_RESERVE(o->traces, o->trace_count, o->trace_room) != 0) {
        free(t);
        no_memory();
        return NULL;
    }
    snprintf(name, sizeof name, "trace_%05zu", o->trace_count);
    t->out = o;
    ctf_trace_init(&t->model);
    t->model.dialect = o->dialect->id;
    t->model.order = o->order != CTF_ORDER_DEFAULT ? o->order : order;
    o->traces[o->trace_count++] = t;
    t->path = join(o->temporary, name);
    if (t->path == NULL)
        return NULL;
    if (mkdir(t->path, 0777) != 0) {
        trace_error_set_errno(TRACE_ERR_IO, errno, "cannot create a folder");
        return NULL;
    }
    return t;
}

static void free_trace(struct ctf_out_trace *t)
{
    for (size_t i = 0; i < t->class_count; ++i)
        ctf_out_class_free(t->classes[i]);
    for (size_t i = 0; i < t->stream_count; ++i) {
        buf_fini(&t->streams[i]->packet);
        free(t->streams[i]->path);
        free(t->streams[i]);
    }
    ctf_trace_fini(&t->model);
    free(t->classes);
    free(t->streams);
    free(t->slots);
    free(t->path);
    free(t);
}

static int print_metadata(const struct ctf_out_trace *t, struct buf *out)
{
    const struct ctf_out_dialect *dialect = t->out->dialect;
    struct buf text = BUF_INIT;
    if (dialect->pack_metadata == NULL)
        return dialect->print(&t->model, out);
    int rc = dialect->print(&t->model, &text);
    if (rc == 0)
        rc = dialect->pack_metadata(t, &text, out);
    buf_fini(&text);
    return rc;
}

static int write_metadata(const struct ctf_out_trace *t)
{
    struct buf text = BUF_INIT;
    struct new_file file;
    char *path = join(t->path, CTF_METADATA_FILE);
    int rc = path != NULL ? print_metadata(t, &text) : TRACE_ERR_MEMORY;
    if (rc == 0 && (rc = new_file_open(&file, path)) == 0) {
        rc = write_all(file.fd, text.data, text.len);
        if (rc != 0)
            new_file_abandon(&file);
        else
            rc = new_file_commit(&file);
    }
    free(path);
    buf_fini(&text);
    return rc;
}

int ctf_out_finish(struct ctf_out *o)
{
    int rc = 0;
    for (size_t t = 0; rc == 0 && t < o->trace_count; ++t) {
        for (size_t i = 0; rc == 0 && i < o->traces[t]->stream_count; ++i)
            rc = ctf_out_end_packet(o->traces[t]->streams[i]);
        if (rc == 0)
            rc = write_metadata(o->traces[t]);
    }
    return rc;
}

/* --- the end --------------------------------------------------------------------------------------- */

static void free_all(struct ctf_out *o)
{
    for (size_t i = 0; i < o->trace_count; ++i)
        free_trace(o->traces[i]);
    free(o->traces);
    free(o->path);
    free(o->temporary);
    *o = (struct ctf_out){.path = NULL};
}

static int move(const char *from, const char *to)
{
    struct stat st;
    int rc = lstat(to, &st) == 0 ? check_path(to) : 0;
    if (rc != 0)
        return rc;
    if (remove_folder(to, 0) != 0 && errno == ENOTDIR)
        unlink(to);
    return rename(from, to) == 0 ? 0 : trace_error_set_errno(TRACE_ERR_IO, errno, "cannot rename %s", from);
}

/* Moves what is complete to its place. */
static int finish_temporary(const struct ctf_out *o)
{
    bool is_only = o->trace_count == 1;
    int rc = move(is_only ? o->traces[0]->path : o->temporary, o->path);
    if (rc != 0)
        return rc;
    if (is_only)
        rmdir(o->temporary);
    new_file_guard()->forget(o->temporary);
    return 0;
}

int ctf_out_commit(struct ctf_out *o)
{
    new_file_guard()->hold();
    int rc = finish_temporary(o);
    new_file_guard()->release();
    if (rc == 0)
        free_all(o);
    return rc;
}

void ctf_out_abandon(struct ctf_out *o)
{
    if (o->temporary != NULL)
        remove_temporary(o->temporary);
    free_all(o);
}
