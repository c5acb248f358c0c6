/* SPDX-License-Identifier: MIT */
#include "edit/edited_copy.h"

#include "base/error.h"
#include "formats/apitrace/copy/index_file.h"
#include "shell/command.h"
#include "shell/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the input's name without its extension, followed by the suffix. */
static char *default_path(const char *in_path, const char *suffix)
{
    const char *name = strrchr(in_path, '/');
    const char *dot = strrchr(name != NULL ? name + 1 : in_path, '.');
    size_t stem = dot != NULL ? (size_t)(dot - in_path) : strlen(in_path);
    size_t size = stem + strlen(suffix) + sizeof "-.trace";
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%.*s-%s.trace", (int)stem, in_path, suffix);
    return path;
}

int edited_copy_choose_path(char **out, const char *in_path, const char *out_path, const char *suffix)
{
    *out = NULL;
    if (out_path == NULL && strcmp(in_path, "-") == 0)
        return trace_error_set(
            TRACE_ERR_USAGE,
            "the input has no file name from which to make one for the output (use -o FILE)");
    *out = out_path != NULL ? strdup(out_path) : default_path(in_path, suffix);
    if (*out == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (replace_file_is_same(in_path, *out))
        return trace_error_set(TRACE_ERR_USAGE, "%s: input and output are the same file", *out);
    return 0;
}

static void release(struct edited_copy *c)
{
    trace_copier_close(c->copier);
    event_input_close(&c->in);
    input_file_close(&c->in_file);
    free(c->out_path);
    c->copier = NULL;
    c->out_path = NULL;
}

static int open_input(struct edited_copy *c, struct trace_probe *probe, unsigned needs)
{
    unsigned wanted = (needs & EDITED_COPY_CHANGES) != 0 ? EVENT_INPUT_MARKS : 0;
    if ((needs & EDITED_COPY_TWICE) == 0)
        return event_input_open_probed(&c->in, probe, wanted);
    int rc = input_file_open_probed(&c->in_file, probe, c->in_path);
    return rc == 0 ? event_input_open_file(&c->in, &c->in_file, wanted) : rc;
}

static int open_output(struct edited_copy *c)
{
    int rc = replace_file_open(&c->out_file, c->out_path);
    if (rc != 0)
        return rc;
    rc = trace_output_open_fd(&c->output, c->out_file.fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 1);
    if (rc == 0) {
        rc = trace_copier_open(&c->copier, c->in.events, c->output);
        if (rc == 0)
            rc = trace_copier_keep_times(c->copier);
        if (rc != 0)
            trace_output_close(c->output);
    }
    if (rc != 0)
        new_file_abandon(&c->out_file);
    return rc;
}

int edited_copy_open(struct edited_copy *c, struct trace_probe *probe, const char *in_path,
                     const char *out_path, const char *suffix, unsigned needs)
{
    *c = (struct edited_copy){.in_path = in_path};
    int rc = edited_copy_choose_path(&c->out_path, c->in_path, out_path, suffix);
    if (rc == 0)
        rc = open_input(c, probe, needs);
    if (rc == 0)
        rc = open_output(c);
    if (rc != 0)
        release(c);
    return rc;
}

int edited_copy_all(struct edited_copy *c)
{
    const struct trace_raw_event *event;
    int rc = trace_copier_header(c->copier);
    while (rc == 0 && (rc = event_input_next(&c->in, &event)) == 0 && event != NULL) {
        bool enters = event->tag == TRACE_RAW_EVENT_ENTER;
        rc = trace_copier_event(c->copier, event, enters, NULL, 0);
        if (rc == 0)
            rc = trace_copier_pass_known(c->copier, true, UINT64_MAX);
        if (rc != 0)
            trace_error_prefix(rc, "%s", c->out_path);
    }
    return rc;
}

/* Errors are printed at once, because the next step may set another message. */
static int complete(struct edited_copy *c, int rc)
{
    if (rc == 0 && (rc = trace_copier_flush(c->copier)) != 0)
        trace_error_prefix(rc, "%s", c->out_path);
    if (rc != 0)
        cli_print_error();
    int close_rc = trace_output_close(c->output);
    if (rc == 0 && close_rc != 0) {
        rc = trace_error_prefix(close_rc, "%s", c->out_path);
        cli_print_error();
    }
    return rc;
}

/* Appends the index to the file, which has all of it or none. */
static int append_index(struct edited_copy *c, struct trace_index_file *index)
{
    off_t start = (off_t)trace_index_file_start(index);
    int rc = lseek(c->out_file.fd, start, SEEK_SET) < 0
                 ? trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write the index")
                 : trace_index_file_write(index, c->out_file.fd);
    if (rc != 0 && ftruncate(c->out_file.fd, start) != 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write the index");
    return rc;
}

/* If the input has an index, so has the copy, with the times of its events, and the modules of the
 * backtraces, whose build ids are nowhere else. The copy is read once more for it, since most of its events
 * were passed on without being looked at. A copy without an index is whole, too. */
static int add_index(struct edited_copy *c)
{
    struct trace_index *old = trace_raw_events_index(c->in.events);
    struct trace_index_file *index;
    char path[40];
    struct stat st;
    if (old == NULL || fstat(c->out_file.fd, &st) != 0 || !S_ISREG(st.st_mode))
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", c->out_file.fd);
    int rc = trace_index_file_read_copy(&index, path, old, trace_copier_times(c->copier));
    if (rc != 0 || index == NULL)
        return rc == TRACE_ERR_FORMAT || rc == TRACE_ERR_TRUNCATED ? 0 : rc;
    rc = append_index(c, index);
    trace_index_file_free(index);
    return rc;
}

int edited_copy_finish(struct edited_copy *c, int rc)
{
    progress_end();
    rc = complete(c, rc);
    if (rc == 0 && (rc = add_index(c)) != 0) {
        trace_error_prefix(rc, "%s", c->out_path);
        cli_print_error();
    }
    if (rc != 0)
        new_file_abandon(&c->out_file);
    else if ((rc = new_file_commit(&c->out_file)) != 0)
        cli_print_error();
    c->complete = rc == 0;
    return rc;
}

int edited_copy_close(struct edited_copy *c, const char *done)
{
    if (c->complete && done != NULL)
        fprintf(stderr, "%s trace is available as %s\n", done, c->out_path);
    int status = c->complete ? input_losses_status(&c->in.losses) : 1;
    release(c);
    return status;
}

const char *edited_copy_input_name(const struct edited_copy *c)
{
    return strcmp(c->in_path, "-") == 0 ? "standard input" : c->in_path;
}
