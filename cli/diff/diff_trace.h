/* SPDX-License-Identifier: MIT
 * One of the two traces of `trace-cli diff`. It is read once for a digest of each call, and again for the
 * calls themselves. Input that cannot be read twice, such as a pipe, is kept in a temporary file.
 */
#ifndef CLI_DIFF_TRACE_H
#define CLI_DIFF_TRACE_H

#include "base/buf.h"
#include "diff/diff_rules.h"
#include "input/call_input.h"

/* Zero-initialise it, except for name and selection. */
struct diff_trace {
    const char *name;                /* as the user gave it */
    struct call_selection selection; /* the calls to compare; owned */
    bool named;                      /* also fill names */
    bool like_apitrace;              /* leave out functions for which diff_is_query() is true */

    struct input_file file;
    uint64_t *digests; /* of the calls to compare, in the order of the reader */
    uint32_t *names;   /* digests of the names of their functions */
    size_t count;
    size_t cap;
    size_t left_out; /* number of calls */
    bool loaded;
    struct buf warnings; /* messages for stderr if parts could not be read */
};

/* Reads the trace as far as possible, without damaged parts. Returns the reader's error if no call could be
 * read. May run in a separate thread. */
int diff_trace_load(struct diff_trace *t, const struct diff_rules *rules);
void diff_trace_fini(struct diff_trace *t);

/* Reads the calls to compare a second time. */
struct diff_cursor {
    struct diff_trace *trace;
    struct call_input in;
    const struct trace_call *held; /* the next call, if it has been read already */
    size_t next;                   /* index of the next call */
    uint64_t frames;               /* number of frames that ended before it */
    uint64_t last_number;          /* number of the call before it; 0 at the start */
};

/* Opens the file once more. */
int diff_cursor_open(struct diff_cursor *c, struct diff_trace *t);
void diff_cursor_close(struct diff_cursor *c);

/* Returns the next call to compare, which the caller releases to c->in. It is an error if there is none: the
 * file has then changed since it was first read. */
int diff_cursor_next(struct diff_cursor *c, const struct trace_call **out);

/* Does the same as diff_cursor_next(), but the call stays the next one, and belongs to the cursor. */
int diff_cursor_peek(struct diff_cursor *c, const struct trace_call **out);

/* Skips calls until call `index` is the next one. */
int diff_cursor_skip_to(struct diff_cursor *c, size_t index);

#endif
