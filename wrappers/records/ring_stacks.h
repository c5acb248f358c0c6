/* SPDX-License-Identifier: MIT
 * The call stacks that the records of one ring tell of (RECORD_STACK), and what becomes of them: the
 * backtrace of the thread's next call. What the ring holds is not trusted.
 */
#ifndef RECORDS_RING_STACKS_H
#define RECORDS_RING_STACKS_H

#include "records/record.h"
#include "records/stack_frames.h"

#include "formats/apitrace/encoder.h"

struct ring_stack;

struct ring_stacks {
    struct ring_stack **stacks; /* by number; NULL: none yet */
    size_t modules;             /* that the ring has told of */
    struct ring_stack *next;    /* of the next call; NULL: it has none */
    uint16_t function;          /* which must be one of these */
};

void ring_stacks_fini(struct ring_stacks *s);

/* Another thread has the ring: its numbers begin anew. */
void ring_stacks_reset(struct ring_stacks *s);

/* Takes a RECORD_MODULE's or RECORD_STACK's body of size bytes, which is aligned to 8. Makes no sense: is
 * passed over. Errors: TRACE_ERR_MEMORY. */
int ring_stacks_take_module(struct ring_stacks *s, struct stack_frames *frames, const uint8_t *body,
                            size_t size);
int ring_stacks_take_stack(struct ring_stacks *s, struct stack_frames *frames, const struct record *r,
                           const uint8_t *body, size_t size);

/* Writes the backtrace of a call of the function, if it has one, into the enter event that has been begun. */
void ring_stacks_encode(struct ring_stacks *s, const struct stack_frames *frames, uint16_t function,
                        struct trace_encoder *e);

#endif
