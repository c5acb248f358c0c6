/* SPDX-License-Identifier: MIT
 * Code that adaptors around a single source share.
 */
#ifndef TRACE_WRAPPED_H
#define TRACE_WRAPPED_H

#include "trace/source_ops.h"

struct wrapped {
    struct trace_source base; /* must be the first member */
    struct trace_source *of;
};

/* Initialises w with the properties of the inner source. */
void wrapped_init(struct wrapped *w, const struct trace_source_ops *ops, struct trace_source *of);

/* Forwards to the inner source. */
void wrapped_resume_after_damage(struct trace_source *s);
void wrapped_set_progress(struct trace_source *s, struct trace_progress_callback callback);
int wrapped_seek(struct trace_source *s, uint64_t number);
bool wrapped_choose_begin(struct trace_source *s, trace_begin_chooser chooser, void *context,
                          bool wants_ends);
int wrapped_split(struct trace_source *s);
const struct trace_clock *wrapped_clock(struct trace_source *s);

#endif
