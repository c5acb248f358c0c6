/* SPDX-License-Identifier: MIT
 * Turns raw records into events of the trace format, driven by the tables of specs/.
 */
#ifndef RECORDS_RECORD_ENCODER_H
#define RECORDS_RECORD_ENCODER_H

#include "records/encoder_state.h"
#include "records/record.h"
int record_encoder_init(struct record_encoder *e);
void record_encoder_fini(struct record_encoder *e);

/* Sets the hooks, from the next event on. If plain is NULL, hook is called for plain events as well. */
void record_encoder_set_hooks(struct record_encoder *e, record_event_hook hook, record_plain_hook plain,
                              void *context);

/* Writes the header of the trace: version 6 with the properties process.commandLine, process.name and, if
 * e->selection is not NULL, trace.selection. */
void record_encode_header(struct record_encoder *e, const char *program, const char *arguments);

/* Sets the selector, from the next call on. A leave is encoded if its call was. watched: by function id, the
 * functions whose calls the selector must see even while e->takes_all is set; lent. They must not be plain.
 */
void record_encoder_set_selector(struct record_encoder *e, record_selector selector, const bool *watched,
                                 void *context);

/* Encodes the ENTER or LEAVE record r, which has the body [body, end) and the time `ticks`. Errors:
 * TRACE_ERR_FORMAT if the body does not match the function. The event is well-formed even then, but values
 * that could not be decoded are missing. TRACE_ERR_MEMORY. */
int record_encode(struct record_encoder *e, struct record_thread *t, const struct record *r, uint64_t ticks,
                  const uint8_t *body, const uint8_t *end);

#endif
