/* SPDX-License-Identifier: MIT
 * One of the two traces of trace-cli diff: read once for a digest of each call, and again for the calls
 * themselves. What cannot be read twice (a pipe) is kept in a temporary file.
 */
#ifndef CLI_DIFF_TRACE_H
#define CLI_DIFF_TRACE_H

#include "base/buf.h"
#include "diff/diff_rules.h"
#include "input/call_input.h"

/* Zero-initialise but for name and selection. */
struct diff_trace {
    const char *name;                /* as the user gave it */
    struct call_selection selection; /* to compare; owned */
    bool named;                      /* also fill names */
    bool like_apitrace;              /* without calls that diff_is_left_out() */

    struct input_file file;
    uint64_t *digests; /* of the calls to compare, in the order of the reader */
    uint32_t *names;   /* digests of their functions' names alone */
    size_t count;
    size_t cap;
    size_t left_out; /* calls */
    bool loaded;
    struct buf warnings; /* if not all could be read: for stderr, a line each */
};

/* Reads the whole trace, or as much of it as can be read, damaged parts left out. The reader's errors if that
 * is not a single call. May run in a thread of its own. */
int diff_trace_load(struct diff_trace *t, const struct diff_rules *rules);
void diff_trace_fini(struct diff_trace *t);

/* A second look at the calls to compare. */
struct diff_cursor {
    struct diff_trace *trace;
    struct call_input in;
    const struct trace_call *held; /* the next call, if it was looked at already */
    size_t next;                   /* its index */
    uint64_t frames;               /* that ended before it */
    uint64_t last_number;          /* of the call before; 0 at the start */
};

/* The file is opened again. */
int diff_cursor_open(struct diff_cursor *c, struct diff_trace *t);
void diff_cursor_close(struct diff_cursor *c);

/* The next call that is to be compared; the caller hands it back to c->in. It is an error if there is
 * none: the file has changed meanwhile. */
int diff_cursor_next(struct diff_cursor *c, const struct trace_call **out);

/* The same, but the call stays the next one, and the cursor's. */
int diff_cursor_peek(struct diff_cursor *c, const struct trace_call **out);

/* Passes calls, so that call `index` is the next one. */
int diff_cursor_skip_to(struct diff_cursor *c, size_t index);

#endif
