/* SPDX-License-Identifier: MIT
 * What the commands share that write a changed copy of a trace (trim, sed): files, errors, names.
 */
#ifndef CLI_EDITED_COPY_H
#define CLI_EDITED_COPY_H

#include "formats/apitrace/copy/raw_event_copier.h"
#include "input/event_input.h"
#include "shell/replace_file.h"

#include <stdbool.h>

struct edited_copy {
    const char *in_path;       /* lent */
    char *out_path;            /* owned */
    struct input_file in_file; /* if it is read twice */
    struct event_input in;
    struct trace_output *output;
    struct trace_copier *copier;
    struct new_file out_file;
    bool complete;
};

enum edited_copy_need {
    EDITED_COPY_CHANGES = 1, /* a call may be left out or changed */
    EDITED_COPY_TWICE = 2,   /* the input is read once more, from in_file */
};

/* Opens in_path, which was probed, and a new Snappy trace at out_path, or, if that is NULL, beside the input:
 * NAME-SUFFIX.trace for NAME.trace. needs: of enum edited_copy_need. After an error there is nothing to
 * close. */
int edited_copy_open(struct edited_copy *c, struct trace_probe *probe, const char *in_path,
                     const char *out_path, const char *suffix, unsigned needs);

/* Where the new trace goes: out_path, or, if that is NULL, beside the input. The caller owns *out. */
int edited_copy_choose_path(char **out, const char *in_path, const char *out_path, const char *suffix);

/* Copies all there is. */
int edited_copy_all(struct edited_copy *c);

/* Completes the new trace if rc, which the copying has returned, is 0; otherwise removes it. Prints the first
 * error, and returns it. */
int edited_copy_finish(struct edited_copy *c, int rc);

/* After edited_copy_finish(): prints where the trace is ("Trimmed" trace …; NULL: does not
 * say it), if there is one. Returns the
 * exit status. */
int edited_copy_close(struct edited_copy *c, const char *done);

/* The trace that is read, for messages. */
const char *edited_copy_input_name(const struct edited_copy *c);

#endif
