/* SPDX-License-Identifier: MIT
 * What commands that write a changed copy of a trace (trim, sed) share: files, names and errors.
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
    struct input_file in_file; /* if the input is read twice */
    struct event_input in;
    struct trace_output *output;
    struct trace_copier *copier;
    struct new_file out_file;
    bool complete;
};

enum edited_copy_need {
    EDITED_COPY_CHANGES = 1, /* calls may be left out or changed */
    EDITED_COPY_TWICE = 2,   /* the input is read a second time, from in_file */
};

/* Opens in_path, which was probed, and creates a Snappy trace at out_path. If out_path is NULL, the new trace
 * is beside the input: NAME-SUFFIX.trace for NAME.trace. needs is a set of enum edited_copy_need. After an
 * error there is nothing to close. */
int edited_copy_open(struct edited_copy *c, struct trace_probe *probe, const char *in_path,
                     const char *out_path, const char *suffix, unsigned needs);

/* *out receives the path of the new trace, as edited_copy_open() chooses it. The caller owns *out. */
int edited_copy_choose_path(char **out, const char *in_path, const char *out_path, const char *suffix);

/* Copies the whole input. */
int edited_copy_all(struct edited_copy *c);

/* rc is the result of the copying. Completes the new trace if rc is 0, otherwise removes it. Prints the first
 * error and returns it. */
int edited_copy_finish(struct edited_copy *c, int rc);

/* Call this after edited_copy_finish(). If the new trace is complete, prints where it is: "DONE trace is
 * available as …"; done may be NULL: prints nothing. Returns the exit status. */
int edited_copy_close(struct edited_copy *c, const char *done);

/* Returns the name of the input, for messages. */
const char *edited_copy_input_name(const struct edited_copy *c);

#endif
