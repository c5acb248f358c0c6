/* SPDX-License-Identifier: MIT
 * The state of the encoder that turns records into trace events. record_encoder.h encodes one record of any
 * kind; plain_records.h encodes many plain records at a time.
 */
#ifndef RECORDS_ENCODER_STATE_H
#define RECORDS_ENCODER_STATE_H

#include "records/record_values.h"
#include "records/ring_stacks.h"

#include "formats/apitrace/index/index_builder.h"

#define RECORD_THREAD_DEPTH 16

/* The calls that a thread has entered and not left, innermost last. */
struct record_thread {
    uint32_t number;
    uint32_t depth;
    struct ring_stacks *stacks; /* NULL: its calls have no backtraces */
    struct {
        uint64_t call;
        int64_t selector; /* as in struct record_values */
        uint16_t function;
    } open[RECORD_THREAD_DEPTH];
};

/* Pushes a call onto the thread's stack. If the stack is full, its outermost call is dropped, because calls
 * that were left by longjmp() are never popped. */
static inline void record_thread_enter(struct record_thread *t, uint64_t call, uint16_t function,
                                       int64_t selector)
{
    if (t->depth == RECORD_THREAD_DEPTH) {
        memmove(&t->open[0], &t->open[1], sizeof t->open - sizeof t->open[0]);
        t->depth--;
    }
    t->open[t->depth].call = call;
    t->open[t->depth].selector = selector;
    t->open[t->depth].function = function;
    t->depth++;
}

/* Called after each event is encoded. The event's tag, call, function, thread, bytes, place and definitions
 * are set, and lent until the hook returns. ticks is the event's time on the capture clock; the hook may set
 * event->time from it. A large event comes in parts (event->is_part): those that define something are told
 * before their bytes are taken, and the rest at the end. */
typedef void (*record_event_hook)(void *context, struct trace_raw_event *event, uint64_t ticks);

/* Called with consecutive plain events. A plain event defines no signature and ends no frame. The times are
 * in ticks of the capture clock; the hook may overwrite them. end: the offset in the stream after the last
 * event.
 */
typedef void (*record_plain_hook)(void *context, struct trace_plain_event *events, size_t count,
                                  uint64_t end);

#define RECORD_LEFT_OUT UINT64_MAX /* in place of a call's number: the call is not encoded */

/* Decides whether a call is encoded. number counts all calls of the process, from 0. [body, end) is the body
 * of the ENTER record. */
typedef bool (*record_selector)(void *context, const struct spec_function *f, uint64_t number,
                                const uint8_t *body, const uint8_t *end);

struct plain_function;
struct plain_symbol;

#define PLAIN_EVENTS 128 /* passed to the hook at a time */

struct plain_encoder {
    struct plain_function *functions;              /* index: function id */
    struct plain_symbol *symbols;                  /* hash table of enums and bitmasks encoded before */
    struct trace_plain_event events[PLAIN_EVENTS]; /* encoded, but not yet passed to the hook */
    size_t event_count;
};

struct record_encoder {
    struct record_values values;
    struct plain_encoder plain;
    struct buf out;         /* encoded events; the owner takes and clears them */
    uint64_t stream_size;   /* bytes encoded so far */
    record_event_hook hook; /* NULL: none */
    record_plain_hook plain_hook;
    /* A plain event must begin before this offset in the stream. The owner of the hooks may set it. */
    uint64_t plain_limit;
    void *hook_context;
    struct trace_raw_event event; /* the hook's argument; kept here, because clearing it each time is slow */
    uint64_t next_call;           /* number of the next call in the trace */
    struct stack_frames frames;   /* of backtraces */
    struct trace_function_sig *functions; /* by function id; name is NULL until the function first occurs */
    uint64_t ended_frames;                /* number of ended frames, whether they are encoded or not */
    record_selector selector;             /* NULL: all calls are encoded */
    void *selector_context;
    /* The selector accepts all calls at the moment. It is only called for functions that are watched. */
    bool takes_all;
    const bool *watched; /* by function id */
    const bool *told; /* by function id: the hook is told their events one by one; lent; NULL: plain ones of
                         no function */
    const char *selection; /* describes what the selector accepts; NULL: everything */
    uint64_t entered;      /* number of calls, encoded or not; only counted while takes_all is false */
};

#endif
