/* SPDX-License-Identifier: MIT
 * What the two ways from records to events share: any record (record_encoder.h), and many plain ones at once
 * (plain_records.h).
 */
#ifndef RECORDS_ENCODER_STATE_H
#define RECORDS_ENCODER_STATE_H

#include "records/record_values.h"
#include "records/ring_stacks.h"

#include "formats/apitrace/index/index_builder.h"

#define RECORD_THREAD_DEPTH 16

/* Calls of one thread that were entered and not left, innermost last. */
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

/* The thread enters a call. When the stack is full, its outermost call is given up: calls that longjmp() has
 * left stay there for ever. */
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

/* Called with each event once it is encoded. The event has its tag, call, function, thread, bytes, place and
 * definitions, lent for the call; ticks says when it was, and the hook may set the event's time from it. */
typedef void (*record_event_hook)(void *context, struct trace_raw_event *event, uint64_t ticks);

/* Called with plain events, several at once, all in a row and in order: they define nothing, and end no
 * frame. Their times are in ticks; the hook may change them. The last one ends at `end` in the stream. */
typedef void (*record_plain_hook)(void *context, struct trace_plain_event *events, size_t count,
                                  uint64_t end);

#define RECORD_LEFT_OUT UINT64_MAX /* instead of its number: the open call is not in the trace */

/* What decides whether a call gets into the trace. number: of all calls of the process, from 0. body: of the
 * ENTER record. */
typedef bool (*record_selector)(void *context, const struct spec_function *f, uint64_t number,
                                const uint8_t *body, const uint8_t *end);

struct plain_function;
struct plain_symbol;

#define PLAIN_EVENTS 128 /* that are told of at once */

struct plain_encoder {
    struct plain_function *functions;              /* index: function id */
    struct plain_symbol *symbols;                  /* enums and bitmasks that were encoded before, by hash */
    struct trace_plain_event events[PLAIN_EVENTS]; /* encoded, and the hook is not told yet; times in ticks */
    size_t event_count;
};

struct record_encoder {
    struct record_values values;
    struct plain_encoder plain;
    struct buf out;         /* encoded events; the owner takes and clears them */
    uint64_t stream_size;   /* bytes encoded so far */
    record_event_hook hook; /* NULL: none */
    record_plain_hook plain_hook;
    uint64_t
        plain_limit; /* plain events begin before this place in the stream; the hooks' owner may set it */
    void *hook_context;
    struct trace_raw_event
        event; /* what the hook is told; clearing one each time would cost more than the rest */
    uint64_t next_call;
    struct stack_frames frames;           /* of backtraces */
    struct trace_function_sig *functions; /* index: function id; name NULL until it first occurs */
    uint64_t ended_frames;                /* calls that end a frame and were left, also those left out */
    record_selector selector;             /* NULL: all calls are encoded */
    bool takes_all;                       /* the selector need not be asked about plain calls */
    const char *selection;                /* what the selector wants, in words; NULL: everything */
    void *selector_context;
    uint64_t entered; /* calls so far, also those left out; counted only while takes_all is false */
};

#endif
