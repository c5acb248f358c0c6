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

/* --- The parts of an event, for records that are encoded piece by piece (large_record.h) --------------- */

/* Begins the event of an ENTER record whose body is at c. *args receives its words, lent from the body.
 * Returns 1 if the selector rejects the call, so that there is no event. Errors: TRACE_ERR_FORMAT, and there
 * is no event. */
int record_begin_enter(struct record_encoder *e, struct record_thread *t, const struct record *r,
                       struct record_cursor *c, const union spec_arg **args);

/* Ends the event, and returns the number of its call, which is the thread's innermost one now. */
uint64_t record_end_enter(struct record_encoder *e, struct record_thread *t, uint16_t function);

/* Begins the event of a LEAVE record. *call receives the number of its call; if that is RECORD_LEFT_OUT,
 * there is no event. Errors: TRACE_ERR_FORMAT if there is no such call. */
int record_begin_leave(struct record_encoder *e, struct record_thread *t, const struct spec_function *f,
                       uint64_t *call);

/* An event, or a part of it, whose bytes are at the end of e->out. */
struct record_encoded {
    uint64_t call;
    uint64_t offset; /* of the event in the stream */
    size_t start;    /* of its bytes in e->out */
    size_t skipped;  /* bytes of the event that precede them */
    uint32_t thread;
    uint16_t function;
    uint8_t kind;
    bool is_part; /* there is more to come */
};

/* Passes it on to the hook, if there is one. */
void record_tell_event(struct record_encoder *e, const struct record_encoded *encoded, uint64_t ticks);

#endif
