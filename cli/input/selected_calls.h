/* SPDX-License-Identifier: MIT
 * The calls of a trace that --calls and --frames select, without reading further than they reach.
 */
#ifndef CLI_SELECTED_CALLS_H
#define CLI_SELECTED_CALLS_H

#include "trace/call_set.h"
#include "formats/apitrace/read/reader.h"

/* A call is selected if it is in each of the sets that are given; without either, all calls are. */
struct call_selection {
    bool calls_given, frames_given;
    struct trace_call_set calls;  /* of call numbers */
    struct trace_call_set frames; /* of frame numbers; kinds are those of calls, as in --frames=3/draw */
};

void call_selection_fini(struct call_selection *s);

/* Adds the calls that an option's value names to a set. Warns of a range that ends before it begins. */
int call_set_add_option(struct trace_call_set *set, const char *text);

/* The same for --calls and --frames, as functions of option tables: selection is a struct call_selection, or
 * a struct that begins with one. */
int call_selection_add_calls(void *selection, const char *text);
int call_selection_add_frames(void *selection, const char *text);

/* Frames are numbered from 0 and consist of calls in the order of returns; the call that ends one is its
 * last.
 */
struct selected_calls {
    struct trace_reader *reader;
    const struct call_selection *selection;
    uint64_t next_frame;  /* of the call that comes next */
    bool seeks;           /* it is the first of its frame */
    bool past_frames;     /* no frame from that one on is in --frames */
    uint64_t next_wanted; /* the least number in --calls, from those of calls still to be entered on */
    bool none_to_enter;   /* there is none such */
    uint64_t found;       /* calls that were returned */
    bool waiting;         /* for the return of a call in --calls: */
    uint64_t straggler;
};

/* The reader and the selection are borrowed. */
void selected_calls_init(struct selected_calls *s, struct trace_reader *reader,
                         const struct call_selection *selection);

/* As trace_reader_next_call(), whose errors it returns; *out is NULL when no selected call can come any more.
 */
int selected_calls_next(struct selected_calls *s, const struct trace_call **out);

/* At the end: says that no call of the trace was selected, if that is so. */
void selected_calls_warn_of_none(const struct selected_calls *s, const char *path);

/* Passes over at most max calls that would come next, if all are selected and it costs less than reading
 * them. Returns how many. */
uint64_t selected_calls_pass(struct selected_calls *s, uint64_t max);

#endif
