/* SPDX-License-Identifier: MIT
 * Turns raw records into events of the trace format, driven by the tables of specs/.
 */
#ifndef RECORDS_RECORD_ENCODER_H
#define RECORDS_RECORD_ENCODER_H

#include "records/record.h"
#include "records/record_values.h"

#include "formats/apitrace/read/raw_events.h"

#define RECORD_THREAD_DEPTH 16

/* Calls of one thread that were entered and not left, innermost last. */
struct record_thread {
    uint32_t number;
    uint32_t depth;
    struct {
        uint64_t call;
        int64_t selector; /* as in struct record_values */
        uint16_t function;
    } open[RECORD_THREAD_DEPTH];
};

/* Called with each event once it is encoded. The event has its tag, call, function, thread, bytes, place and
 * definitions, lent for the call; ticks says when it was, and the hook may set the event's time from it. */
typedef void (*record_event_hook)(void *context, struct trace_raw_event *event, uint64_t ticks);

struct record_encoder {
    struct record_values values;
    struct buf out;         /* encoded events; the owner takes and clears them */
    uint64_t stream_size;   /* bytes encoded so far */
    record_event_hook hook; /* NULL: none */
    void *hook_context;
    struct trace_raw_event
        event; /* what the hook is told; clearing one each time would cost more than the rest */
    uint64_t next_call;
    struct trace_function_sig *functions; /* index: function id; name NULL until it first occurs */
    bool frame_ended;                     /* a call that ends a frame was left since the owner cleared this */
};

int record_encoder_init(struct record_encoder *e);
void record_encoder_fini(struct record_encoder *e);

/* Has hook called after each event, from the next one on. */
void record_encoder_set_hook(struct record_encoder *e, record_event_hook hook, void *context);

/* Writes the trace's header: version 6 with the properties process.commandLine and process.name. */
void record_encode_header(struct record_encoder *e, const char *program, const char *arguments);

/* Encodes an ENTER or LEAVE record r with the body [body, end), made at time ticks. TRACE_ERR_FORMAT when the
 * body does not fit the function; the event is still well-formed, but lacks what could not be decoded. */
int record_encode(struct record_encoder *e, struct record_thread *t, const struct record *r, uint64_t ticks,
                  const uint8_t *body, const uint8_t *end);

#endif
