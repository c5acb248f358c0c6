/* SPDX-License-Identifier: MIT
 * What commands share that write a changed copy of a trace (trim, sed): files, errors, names.
 */
#ifndef CLI_REWRITE_H
#define CLI_REWRITE_H

#include "shell/replace_file.h"
#include "shell/spool.h"
#include "formats/apitrace/copy/raw_event_copier.h"

#include <stdbool.h>

struct rewrite {
    const char *in_path; /* lent */
    char *out_path;      /* owned */
    struct spool input;  /* if it is read twice */
    struct trace_raw_events *events;
    struct trace_output *output;
    struct trace_copier *copier;
    struct new_file file;
    bool damaged; /* parts of the input could not be read */
};

enum rewrite_need {
    REWRITE_CHANGES = 1, /* a call may be left out or changed */
    REWRITE_TWICE = 2,   /* the input is read once more, from input.path */
};

/* Opens in_path, and a new Snappy trace at out_path, or, if that is NULL, beside the input: NAME-SUFFIX.trace
 * for NAME.trace. needs: of enum rewrite_need. After an error there is nothing to close. */
int rewrite_open(struct rewrite *w, const char *in_path, const char *out_path, const char *suffix,
                 unsigned needs);

/* As trace_raw_events_next(), but goes on after damage, with a warning on stderr. */
int rewrite_next(struct rewrite *w, const struct trace_raw_event **event);

/* Completes the file if rc, what the copying returned, is 0 or TRACE_ERR_TRUNCATED; otherwise removes it.
 * Returns the first error, its message set. */
int rewrite_close(struct rewrite *w, int rc);

/* Prints the error or warning of rc and, if there is a file, where it is ("Trimmed" trace …) on stderr;
 * returns the exit status. */
int rewrite_report(struct rewrite *w, int rc, const char *what);

/* The trace that is read, for messages. */
const char *rewrite_input_name(const struct rewrite *w);

#endif
