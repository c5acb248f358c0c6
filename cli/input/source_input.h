/* SPDX-License-Identifier: MIT
 * The selected events of a trace of any format, without damaged parts. Commands that treat the apitrace
 * format differently (call_input.h, event_input.h) first check which format the trace has.
 */
#ifndef CLI_SOURCE_INPUT_H
#define CLI_SOURCE_INPUT_H

#include "formats/format_registry.h"
#include "input/event_filter.h"
#include "input/input_losses.h"
#include "input/selected_calls.h"

/* Opens the file at path and detects its format. *is_calls: it is the apitrace format. Call
 * trace_probe_close() in any case. */
int input_probe(struct trace_probe *probe, const char *path, bool *is_calls);

/* Returns true for the apitrace format. */
bool input_is_calls(const struct trace_format *format);

struct source_input {
    struct trace_source *source;
    const struct call_selection *selection;
    struct event_filter *filter; /* may be set after opening, borrowed; NULL: all events */
    struct input_losses losses;  /* settings for warnings may be changed after opening */
    uint64_t found;              /* number of selected events */
};

/* Opens the probed file, which is taken over. Shows progress if progress_begin() was called. The selection is
 * a set of event numbers, since there are no frames; it is lent until source_input_close(). NULL: all events.
 * Errors: those of trace_source_open(), and TRACE_ERR_USAGE. After an error there is nothing to close. */
int source_input_open(struct source_input *in, struct trace_probe *probe,
                      const struct call_selection *selection);
/* Does the same for an open source, which is taken over even if it fails. name is for messages. */
int source_input_adopt(struct source_input *in, struct trace_source *source, const char *name,
                       const struct call_selection *selection);
void source_input_close(struct source_input *in); /* may be called repeatedly, and after open failed */

/* Reads the next selected event, which the caller releases with trace_source_release(in->source, …).
 * Declarations and other events without a number are always selected. Losses are skipped with a warning. Any
 * other error ends the reading. */
int source_input_next(struct source_input *in, struct trace_event *out);

/* Call it at the end. Warns if no event was selected. */
void source_input_warn_of_none(const struct source_input *in, const char *path);

#endif
