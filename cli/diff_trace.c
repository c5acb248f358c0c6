/* SPDX-License-Identifier: MIT */
#include "diff_trace.h"

#include "base/error.h"
#include "diff_digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_BYTES ((size_t)1 << 16)

/* Calls may leave after later ones of other threads; so far behind the last call of a set one is looked for.
 */
#define OVERLAP 100

/* --- traces that cannot be read twice -------------------------------------------------------------- */

static int write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t n = write(fd, bytes, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set_errno(ERR_IO, errno, "cannot write a temporary file (TMPDIR says where)");
        bytes += n;
        count -= (size_t)n;
    }
    return 0;
}

static int copy_all(int from, int to)
{
    char bytes[COPY_BYTES];
    for (;;) {
        ssize_t n = read(from, bytes, sizeof bytes);
        if (n == 0)
            return 0;
        if (n < 0 && errno == EINTR)
            continue;
        int rc = n < 0 ? error_set_errno(ERR_IO, errno, "cannot read") : write_all(to, bytes, (size_t)n);
        if (rc != 0)
            return rc;
    }
}

static int open_temporary(int *out)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    if (folder == NULL || folder[0] == '\0')
        folder = "/tmp";
    snprintf(path, sizeof path, "%s/trace-cli-diff-XXXXXX", folder);
    *out = mkostemp(path, O_CLOEXEC);
    if (*out < 0)
        return error_set_errno(ERR_IO, errno, "%s: cannot create a temporary file", folder);
    unlink(path);
    return 0;
}

/* A pipe's bytes go to a file without a name, which /proc opens as often as needed. */
static int spool(struct diff_trace *t)
{
    struct stat st;
    bool is_stdin = strcmp(t->name, "-") == 0;
    if (is_stdin)
        t->name = "standard input";
    else if (stat(t->name, &st) != 0 || !(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
        return 0; /* the reader says what is wrong, if anything is */
    int from = is_stdin ? STDIN_FILENO : open(t->name, O_RDONLY | O_CLOEXEC);
    int rc = from < 0 ? error_set_errno(ERR_IO, errno, "cannot open") : open_temporary(&t->fd);
    if (rc == 0) {
        snprintf(t->path, sizeof t->path, "/proc/self/fd/%d", t->fd);
        rc = copy_all(from, t->fd);
    }
    if (!is_stdin && from >= 0)
        close(from);
    return rc == 0 ? 0 : error_prefix(rc, "%s", t->name);
}

/* Messages name the temporary file: let them name what it is a copy of. */
static int rename_in_message(const struct diff_trace *t, int rc)
{
    char message[512];
    size_t n = strlen(t->path);
    if (rc == 0 || n == 0 || strncmp(error_message(), t->path, n) != 0)
        return rc;
    snprintf(message, sizeof message, "%s", error_message() + n);
    return error_set(rc, "%s%s", t->name, message);
}

static int open_trace(struct diff_trace *t, struct trace_reader **out)
{
    int rc = trace_reader_open(out, t->path[0] != '\0' ? t->path : t->name);
    if (rc != 0)
        return rename_in_message(t, rc);
    trace_reader_resume_after_damage(*out);
    return 0;
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* Keeps the present message. When the trace is read again, it says the same. */
static int add_warning(struct diff_trace *t, const char *kind)
{
    int rc = t->loaded ? 0 : buf_printf(&t->warnings, "%s: %s\n", kind, error_message());
    return rc == 0 ? 0 : error_set(ERR_MEMORY, "out of memory");
}

/* The next call that can be read, or NULL. */
static int next_call(struct diff_trace *t, struct trace_reader *reader, const struct trace_call **out)
{
    for (;;) {
        int rc = rename_in_message(t, trace_reader_next_call(reader, out));
        if (rc != ERR_TRUNCATED && rc != ERR_DAMAGED)
            return rc;
        rc = add_warning(t, "warning");
        if (rc != 0)
            return rc;
    }
}

/* The next call of the set, or NULL. */
static int next_in_set(struct diff_trace *t, struct trace_reader *reader, uint64_t *frames,
                       const struct trace_call **out)
{
    uint64_t last = t->calls.last;
    for (;;) {
        int rc = next_call(t, reader, out);
        if (rc != 0 || *out == NULL)
            return rc;
        if (trace_call_set_contains(&t->calls, (*out)->number, (*out)->flags))
            return 0;
        bool beyond = last < UINT64_MAX - OVERLAP && (*out)->number > last + OVERLAP;
        *frames += ((*out)->flags & TRACE_CALL_END_FRAME) != 0;
        trace_call_release(reader, *out);
        *out = NULL;
        if (beyond)
            return 0;
    }
}

static int reserve(struct diff_trace *t)
{
    if (t->count < t->cap)
        return 0;
    size_t cap = t->cap == 0 ? 4096 : t->cap + t->cap / 2;
    uint64_t *digests = realloc(t->digests, cap * sizeof *digests);
    if (digests != NULL)
        t->digests = digests;
    uint32_t *names = t->named ? realloc(t->names, cap * sizeof *names) : NULL;
    if (names != NULL)
        t->names = names;
    if (digests == NULL || (t->named && names == NULL))
        return error_set(ERR_MEMORY, "%s: out of memory after %zu calls", t->name, t->count);
    t->cap = cap;
    return 0;
}

static int add_call(struct diff_trace *t, const struct diff_rules *rules, struct diff_function_cache *cache,
                    const struct trace_call *call)
{
    const struct diff_function *f = diff_look_up_function(cache, rules, call->sig);
    int rc = f == NULL ? ERR_MEMORY : reserve(t);
    if (rc != 0)
        return rc;
    t->digests[t->count] = diff_digest_call(rules, f, call);
    if (t->named)
        t->names[t->count] = (uint32_t)f->name_digest;
    t->count++;
    return 0;
}

int diff_trace_load(struct diff_trace *t, const struct diff_rules *rules)
{
    struct trace_reader *reader;
    struct diff_function_cache *cache = calloc(1, sizeof *cache);
    const struct trace_call *call;
    uint64_t frames = 0;
    int rc = cache == NULL ? error_set(ERR_MEMORY, "out of memory") : spool(t);
    if (rc == 0)
        rc = open_trace(t, &reader);
    if (rc != 0) {
        free(cache);
        return rc;
    }
    while ((rc = next_in_set(t, reader, &frames, &call)) == 0 && call != NULL) {
        rc = add_call(t, rules, cache, call);
        trace_call_release(reader, call);
        if (rc != 0)
            break;
    }
    if (rc != 0 && rc != ERR_MEMORY && t->count > 0)
        rc = add_warning(t, "error");
    t->loaded = true;
    diff_function_cache_fini(cache);
    free(cache);
    trace_reader_close(reader);
    return rc;
}

void diff_trace_fini(struct diff_trace *t)
{
    trace_call_set_fini(&t->calls);
    free(t->digests);
    free(t->names);
    buf_fini(&t->warnings);
    if (t->path[0] != '\0')
        close(t->fd);
}

/* --- cursors --------------------------------------------------------------------------------------- */

int diff_cursor_open(struct diff_cursor *c, struct diff_trace *t)
{
    *c = (struct diff_cursor){.trace = t};
    return open_trace(t, &c->reader);
}

void diff_cursor_close(struct diff_cursor *c)
{
    if (c->reader != NULL)
        trace_call_release(c->reader, c->held);
    trace_reader_close(c->reader);
    c->reader = NULL;
    c->held = NULL;
}

int diff_cursor_peek(struct diff_cursor *c, const struct trace_call **out)
{
    if (c->held == NULL) {
        int rc = next_in_set(c->trace, c->reader, &c->frames, &c->held);
        if (rc != 0)
            return rc;
        if (c->held == NULL)
            return error_set(ERR_IO, "%s: the file has changed while it was read", c->trace->name);
    }
    *out = c->held;
    return 0;
}

int diff_cursor_next(struct diff_cursor *c, const struct trace_call **out)
{
    int rc = diff_cursor_peek(c, out);
    if (rc != 0)
        return rc;
    c->held = NULL;
    c->frames += ((*out)->flags & TRACE_CALL_END_FRAME) != 0;
    c->last_number = (*out)->number;
    c->next++;
    return 0;
}

int diff_cursor_skip_to(struct diff_cursor *c, size_t index)
{
    int rc = 0;
    while (c->next < index && rc == 0) {
        const struct trace_call *call = NULL;
        rc = diff_cursor_next(c, &call);
        trace_call_release(c->reader, call);
    }
    return rc;
}
