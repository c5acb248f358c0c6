/* SPDX-License-Identifier: MIT
 * The calls of a trace for a command: those that are selected, damaged parts left out. This is where commands
 * that read calls open a trace, of whatever format.
 */
#ifndef CLI_CALL_INPUT_H
#define CLI_CALL_INPUT_H

#include "input/input_file.h"
#include "input/input_losses.h"
#include "input/selected_calls.h"
#include "input/source_calls.h"

struct call_input {
    struct trace_reader *reader;   /* of apitrace's format; NULL: the calls are those of events */
    const struct input_file *file; /* NULL: opened by its path */
    struct selected_calls calls;   /* with a reader */
    struct source_calls *events;   /* without one */
    struct input_losses losses;    /* how warnings are given may be set after the opening */
};

/* Opens the trace at path, probed, or file, and shows progress if progress_begin() was called. The selection
 * is lent until the closing. After an error, which is trace_source_open()'s, there is nothing to close. */
int call_input_open(struct call_input *in, const char *path, const struct call_selection *selection);
int call_input_open_probed(struct call_input *in, struct trace_probe *probe,
                           const struct call_selection *selection);
int call_input_open_file(struct call_input *in, const struct input_file *file,
                         const struct call_selection *selection);
void call_input_close(struct call_input *in); /* after a failed opening, too, and more than once */

/* The next selected call, which the caller hands back. *out is NULL at the end. Losses are warned of and
 * passed over; any other error ends the reading. */
int call_input_next(struct call_input *in, const struct trace_call **out);
void call_input_release(struct call_input *in, const struct trace_call *call); /* NULL is allowed */

/* The frame, counted from 0, of the call that was returned last. */
uint64_t call_input_frame(const struct call_input *in);

/* As selected_calls_pass(): 0 where only reading tells. */
uint64_t call_input_pass(struct call_input *in, uint64_t max);

/* At the end: says that no call of the trace was selected, if that is so. */
void call_input_warn_of_none(const struct call_input *in, const char *path);

#endif
