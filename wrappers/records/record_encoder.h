/* SPDX-License-Identifier: MIT
 * Turns raw records into events of the trace format, driven by the tables of specs/.
 */
#ifndef RECORDS_RECORD_ENCODER_H
#define RECORDS_RECORD_ENCODER_H

#include "records/encoder_state.h"
#include "records/record.h"
int record_encoder_init(struct record_encoder *e);
void record_encoder_fini(struct record_encoder *e);

/* Has hook called after each event, from the next one on. plain: NULL, or what is called for plain ones
 * instead. */
void record_encoder_set_hooks(struct record_encoder *e, record_event_hook hook, record_plain_hook plain,
                              void *context);

/* Writes the trace's header: version 6 with the properties process.commandLine and process.name, and
 * trace.selection if e->selection says what the trace is limited to. */
void record_encode_header(struct record_encoder *e, const char *program, const char *arguments);

/* From the next call on, only those that the selector wants are encoded. What it decides for a call holds for
 * its leave. */
void record_encoder_set_selector(struct record_encoder *e, record_selector selector, void *context);

/* Encodes an ENTER or LEAVE record r with the body [body, end), made at time ticks. TRACE_ERR_FORMAT when the
 * body does not fit the function; the event is still well-formed, but lacks what could not be decoded. */
int record_encode(struct record_encoder *e, struct record_thread *t, const struct record *r, uint64_t ticks,
                  const uint8_t *body, const uint8_t *end);

#endif
