/* SPDX-License-Identifier: MIT
 * Builds the index of a session's trace while its events are encoded.
 */
#ifndef COLLECTOR_EVENT_INDEX_H
#define COLLECTOR_EVENT_INDEX_H

#include "base/error.h"
#include "collector/tick_clock.h"
#include "records/record_encoder.h"
#include "formats/apitrace/index/index_builder.h"

struct event_index {
    struct tick_clock clock;
    struct trace_index_builder *builder; /* NULL after a failure */
    struct record_encoder *encoder;
    char message[TRACE_ERROR_MESSAGE_SIZE]; /* the reason of the failure */
};

/* Makes encoder, which is borrowed, report all its events, from the first on. early: see tick_clock_init().
 */
int event_index_init(struct event_index *x, struct record_encoder *encoder, enum capture_clock clock,
                     const struct tick_pair *early);

/* Adds the modules of the encoder's backtraces. Call it at the end. */
void event_index_add_modules(struct event_index *x);

void event_index_fini(struct event_index *x);

#endif
