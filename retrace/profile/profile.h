/* SPDX-License-Identifier: MIT
 * Measures a replay. The replayer says what happens; results of the GPU are read when they are there, so that
 * nothing waits for them, and records go to the outputs in their order.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "gpu_queries.h"
#include "profile_options.h"
#include "profile_record.h"

#include <stdio.h>

struct profile;

/* Opens the outputs that the options ask for; text is for those that are printed. options and text are
 * borrowed. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int profile_open(struct profile **out, const struct profile_options *options, FILE *text);
/* Completes the outputs and frees p, which may be NULL. All contexts must have been left. Errors:
 * TRACE_ERR_IO. */
int profile_close(struct profile *p);

/* A context has become current; call it before the first call in it is measured. */
void profile_enter(struct profile *p, bool is_es, gpu_get_proc get_proc, void *context);
bool profile_has_entered(const struct profile *p);
/* The context is about to be replaced: waits for all its results. can_ask: false between glBegin() and
 * glEnd(), where nothing can be asked; the results are then lost. */
void profile_leave(struct profile *p, bool can_ask);

/* Returns what the current context can measure: bits 1 << enum profile_metric. */
unsigned profile_available(const struct profile *p);

/* Begin and end a call. The record is completed with what is measured; only one may have begun. */
void profile_begin_call(struct profile *p, const struct profile_record *record);
void profile_end_call(struct profile *p);

/* Adds a record that takes no time, or whose CPU times (of profile_clock()) are known. can_ask: a stamp of
 * the GPU is wanted, too. */
void profile_add(struct profile *p, const struct profile_record *record, bool can_ask);

/* A frame has ended in this thread. */
void profile_end_frame(struct profile *p, uint64_t call, uint32_t thread, bool can_ask);

#endif
