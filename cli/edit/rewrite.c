/* SPDX-License-Identifier: MIT */
#include "edit/rewrite.h"

#include "base/error.h"
#include "shell/command.h"
#include "shell/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The input's name without its extension, and the suffix. */
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

static int choose_path(struct rewrite *w, const char *out_path, const char *suffix)
{
    if (out_path == NULL && strcmp(w->in_path, "-") == 0)
        return trace_error_set(TRACE_ERR_USAGE,
                               "the standard input has no name to derive the output's from: give -o FILE");
    w->out_path = out_path != NULL ? strdup(out_path) : default_path(w->in_path, suffix);
    if (w->out_path == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (replace_file_is_same(w->in_path, w->out_path))
        return trace_error_set(TRACE_ERR_USAGE, "%s: input and output are the same file", w->out_path);
    return 0;
}

static void release(struct rewrite *w)
{
    trace_copier_close(w->copier);
    trace_raw_events_close(w->events);
    spool_close(&w->input);
    free(w->out_path);
    w->copier = NULL;
    w->events = NULL;
    w->out_path = NULL;
}

static int open_input(struct rewrite *w, unsigned needs)
{
    int rc = (needs & REWRITE_TWICE) != 0 ? spool_open(&w->input, w->in_path) : 0;
    if (rc == 0)
        rc = trace_raw_events_open(&w->events, w->input.path, (needs & REWRITE_CHANGES) != 0);
    if (rc != 0)
        return spool_name_in_message(&w->input, rc);
    trace_raw_events_resume_after_damage(w->events);
    progress_watch_events(w->events);
    return 0;
}

int rewrite_open(struct rewrite *w, const char *in_path, const char *out_path, const char *suffix,
                 unsigned needs)
{
    *w = (struct rewrite){.in_path = in_path, .input.path = in_path};
    progress_begin(suffix);
    int rc = choose_path(w, out_path, suffix);
    if (rc == 0)
        rc = open_input(w, needs);
    if (rc == 0)
        rc = replace_file_open(&w->file, w->out_path);
    if (rc != 0) {
        release(w);
        return rc;
    }
    rc = trace_output_open_fd(&w->output, w->file.fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 1);
    if (rc == 0) {
        rc = trace_copier_open(&w->copier, w->events, w->output);
        if (rc != 0)
            trace_output_close(w->output);
    }
    if (rc != 0) {
        replace_file_abandon(&w->file);
        release(w);
    }
    return rc;
}

int rewrite_next(struct rewrite *w, const struct trace_raw_event **event)
{
    for (;;) {
        int rc = trace_raw_events_next(w->events, event);
        if (rc == 0)
            return 0;
        if (rc != TRACE_ERR_DAMAGED)
            return spool_name_in_message(&w->input, rc);
        spool_name_in_message(&w->input, rc);
        w->damaged = cli_print_warning();
    }
}

int rewrite_close(struct rewrite *w, int rc)
{
    char message[512];
    if (rc == 0 || rc == TRACE_ERR_TRUNCATED) {
        snprintf(message, sizeof message, "%s", trace_error_message());
        int flush_rc = trace_copier_flush(w->copier);
        if (flush_rc != 0)
            rc = trace_error_prefix(flush_rc, "%s", w->out_path);
        else if (rc != 0)
            trace_error_set(rc, "%s", message);
    }
    snprintf(message, sizeof message, "%s", trace_error_message());
    int close_rc = trace_output_close(w->output);
    if (rc != 0 && rc != TRACE_ERR_TRUNCATED) {
        replace_file_abandon(&w->file);
        return trace_error_set(rc, "%s", message); /* the first error is the one that matters */
    }
    if (close_rc != 0) {
        replace_file_abandon(&w->file);
        return trace_error_prefix(close_rc, "%s", w->out_path);
    }
    close_rc = replace_file_commit(&w->file);
    if (close_rc != 0)
        return close_rc;
    return rc == 0 ? 0 : trace_error_set(rc, "%s", message);
}

int rewrite_report(struct rewrite *w, int rc, const char *what)
{
    progress_end();
    if (rc != 0)
        rc == TRACE_ERR_TRUNCATED ? cli_print_warning() : cli_print_error();
    if (rc == 0 || rc == TRACE_ERR_TRUNCATED)
        fprintf(stderr, "%s trace is available as %s\n", what, w->out_path);
    release(w);
    return (rc != 0 && rc != TRACE_ERR_TRUNCATED) || w->damaged;
}

const char *rewrite_input_name(const struct rewrite *w)
{
    return strcmp(w->in_path, "-") == 0 ? "standard input" : w->in_path;
}
