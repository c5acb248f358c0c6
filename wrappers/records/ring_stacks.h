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

/* The same of a RECORD_STACK without a body. */
static inline void ring_stacks_take_number(struct ring_stacks *s, const struct record *r)
{
    bool known = s->stacks != NULL && r->order < RECORD_STACK_NUMBERS;
    s->next = known ? s->stacks[r->order] : NULL;
    s->function = r->function;
}

/* The backtrace of a call of the function as the bytes of a detail, when that is all: its frames were written
 * before. NULL: ring_stacks_encode() is needed. *size: 0 when it has none. */
const uint8_t *ring_stacks_known(const struct ring_stacks *s, uint16_t function, uint32_t *size);

/* Writes the backtrace of a call of the function, if it has one, into the enter event that has been begun. */
void ring_stacks_encode(struct ring_stacks *s, const struct stack_frames *frames, uint16_t function,
                        struct trace_encoder *e);

#endif
