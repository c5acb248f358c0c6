/* SPDX-License-Identifier: MIT
 * The selected calls of a trace of any format, without damaged parts. Commands that read calls open a trace
 * here.
 */
#ifndef CLI_CALL_INPUT_H
#define CLI_CALL_INPUT_H

#include "input/input_file.h"
#include "input/input_losses.h"
#include "input/selected_calls.h"
#include "input/source_calls.h"

struct call_input {
    struct trace_reader *reader;   /* reader of the apitrace format; NULL: `events` yields the calls */
    const struct input_file *file; /* NULL: opened by path */
    struct selected_calls calls;   /* used with a reader */
    struct source_calls *events;   /* used without a reader */
    struct input_losses losses;    /* settings for warnings may be changed after opening */
};

/* Opens the trace at path, which was probed, or file. Shows progress if progress_begin() was called. The
 * selection is lent until call_input_close(). Errors are those of trace_source_open(). After an error there
 * is nothing to close. */
int call_input_open(struct call_input *in, const char *path, const struct call_selection *selection);
int call_input_open_probed(struct call_input *in, struct trace_probe *probe,
                           const struct call_selection *selection);
int call_input_open_file(struct call_input *in, const struct input_file *file,
                         const struct call_selection *selection);
void call_input_close(struct call_input *in); /* may be called repeatedly, and after open failed */

/* Reads the next selected call, which the caller must release. *out is NULL at the end. Losses are skipped
 * with a warning. Any other error ends the reading. */
int call_input_next(struct call_input *in, const struct trace_call **out);
void call_input_release(struct call_input *in, const struct trace_call *call); /* call may be NULL */

/* Returns the frame, counted from 0, of the call that was returned last. */
uint64_t call_input_frame(const struct call_input *in);

/* Does the same as selected_calls_pass(). Returns 0 if the calls must be read. */
uint64_t call_input_pass(struct call_input *in, uint64_t max);

/* Call it at the end. Warns if no call of the trace was selected. */
void call_input_warn_of_none(const struct call_input *in, const char *path);

#endif
