/* SPDX-License-Identifier: MIT
 * The calls of a trace that --calls and --frames select. Stops reading after the last one.
 */
#ifndef CLI_SELECTED_CALLS_H
#define CLI_SELECTED_CALLS_H

#include "trace/call_set.h"
#include "formats/apitrace/read/reader.h"

/* A call is selected if it is in every set that is given. Without any set, all calls are selected. */
struct call_selection {
    bool calls_given, frames_given;
    struct trace_call_set calls;  /* of call numbers */
    struct trace_call_set frames; /* of frame numbers; kinds refer to calls, as in --frames=3/draw */
};

void call_selection_fini(struct call_selection *s);

/* Returns whether a call with these TRACE_CALL_* flags is selected. */
bool call_selection_contains(const struct call_selection *s, uint64_t number, uint64_t frame, uint32_t flags);

/* Adds the calls in an option's value to a set. Warns about a range whose end is below its start. */
int call_set_add_option(struct trace_call_set *set, const char *text);

/* Do the same for --calls and --frames, as functions of option tables. selection is a struct call_selection,
 * or a struct whose first member is one. */
int call_selection_add_calls(void *selection, const char *text);
int call_selection_add_frames(void *selection, const char *text);

/* Frames are numbered from 0 and consist of calls in the order in which they return. The last call of a frame
 * is the one that ends it. */
struct selected_calls {
    struct trace_reader *reader;
    const struct call_selection *selection;
    uint64_t next_frame;  /* frame of the next call */
    bool seeks;           /* the next call is the first of its frame */
    bool past_frames;     /* no frame from next_frame on is in --frames */
    uint64_t next_wanted; /* lowest number in --calls of a call that has not been entered yet */
    bool none_to_enter;   /* there is no such number */
    uint64_t found;       /* number of calls returned */
    bool waiting;         /* waits for the return of a call in --calls */
    uint64_t straggler;
};

/* The reader and the selection are borrowed. */
void selected_calls_init(struct selected_calls *s, struct trace_reader *reader,
                         const struct call_selection *selection);

/* Does the same as trace_reader_next_call(), and returns its errors. *out is NULL when no more selected calls
 * can follow. */
int selected_calls_next(struct selected_calls *s, const struct trace_call **out);

/* Call it at the end. Warns if no call of the trace was selected. */
void selected_calls_warn_of_none(const struct selected_calls *s, const char *path);

/* Skips at most max of the next calls, if all of them are selected and skipping is cheaper than reading.
 * Returns how many were skipped. */
uint64_t selected_calls_pass(struct selected_calls *s, uint64_t max);

#endif
