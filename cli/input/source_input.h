/* SPDX-License-Identifier: MIT
 * The events of a trace of any format for a command: those that are selected, damaged parts left out.
 * Commands that have a way of their own for apitrace's format (call_input.h, event_input.h) ask first which
 * format it is.
 */
#ifndef CLI_SOURCE_INPUT_H
#define CLI_SOURCE_INPUT_H

#include "formats/format_registry.h"
#include "input/input_losses.h"
#include "input/selected_calls.h"

/* Opens the file at path and finds its format; *is_calls: it is apitrace's. trace_probe_close() follows in
 * any case. */
int input_probe(struct trace_probe *probe, const char *path, bool *is_calls);

/* Is it apitrace's? */
bool input_is_calls(const struct trace_format *format);

struct source_input {
    struct trace_source *source;
    const struct call_selection *selection;
    struct input_losses losses; /* how warnings are given may be set after the opening */
    uint64_t found;             /* selected events */
};

/* Opens the probed file, which it takes over, and shows progress if progress_begin() was called. The
 * selection (NULL: all events) is lent until the closing: sets of event numbers; there are no frames. After
 * an error, which is trace_source_open()'s or TRACE_ERR_USAGE, there is nothing to close. */
int source_input_open(struct source_input *in, struct trace_probe *probe,
                      const struct call_selection *selection);
/* The same of an opened source, which it takes over, also after an error; name is for messages. */
int source_input_adopt(struct source_input *in, struct trace_source *source, const char *name,
                       const struct call_selection *selection);
void source_input_close(struct source_input *in); /* after a failed opening, too, and more than once */

/* The next selected event; the caller hands it back with trace_source_release(in->source, …). Declarations,
 * and whatever else has no number, are always selected. Losses are warned of and passed over; any other error
 * ends the reading. */
int source_input_next(struct source_input *in, struct trace_event *out);

/* At the end: says that no event was selected, if that is so. */
void source_input_warn_of_none(const struct source_input *in, const char *path);

#endif
