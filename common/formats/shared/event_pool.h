/* SPDX-License-Identifier: MIT
 * A pool of memory blocks for events. A block is reused once its event has been released.
 */
#ifndef FORMATS_EVENT_POOL_H
#define FORMATS_EVENT_POOL_H

#include "base/buf.h"
#include "trace/event.h"

/* An event and all memory that it points to. */
struct event_block {
    struct trace_event event;
    struct trace_call call;
    struct trace_heap heap;
    struct trace_frame *frames;
    uint32_t frame_cap;
    struct trace_value *args;
    uint32_t arg_cap;
    struct buf text;          /* the event's strings */
    struct event_block *next; /* links free blocks */
};

/* Zero-initialise it before use. */
struct event_pool {
    struct event_block *free;
};

void event_pool_fini(struct event_pool *p);

/* Takes a block from the pool. Its event has no kind, no arguments, no frames and no text, and its call is
 * that of the block. Returns NULL, with the message set, if there is no memory. */
struct event_block *event_pool_take(struct event_pool *p);

/* Does the same for an event that the caller makes elsewhere, with the block as its owner: the block's own is
 * not reset. */
struct event_block *event_pool_take_call(struct event_pool *p);
void event_pool_give_back(struct event_pool *p, struct event_block *block);

/* Copies the block's event to *out, with the block as its owner. The block */
static inline void event_block_hand_out(struct event_block *block, struct trace_event *out)
{
    *out = block->event;
    out->owner = block;
}

/* returns to the pool when the event is released. */
void event_pool_release(struct event_pool *p, const struct trace_event *event);

/* Makes room for count empty frames, count arguments, or count bytes of text. The text does not move until
 * more room is requested. Errors: TRACE_ERR_MEMORY. */
int event_block_grow_frames(struct event_block *block, uint32_t count);
int event_block_grow_args(struct event_block *block, uint32_t count);
int event_block_reserve_text(struct event_block *block, size_t count);

static inline int event_block_reserve_frames(struct event_block *block, uint32_t count)
{
    return count <= block->frame_cap ? 0 : event_block_grow_frames(block, count);
}

static inline int event_block_reserve_args(struct event_block *block, uint32_t count)
{
    return count <= block->arg_cap ? 0 : event_block_grow_args(block, count);
}

/* Makes the block's call a call of the function with this signature, whose first count arguments were written
 * to block->args. A call has at least as many arguments as its signature: the others get no value
 * (TRACE_NONE). Errors: TRACE_ERR_MEMORY. */
int event_block_set_function(struct event_block *block, const struct trace_function_sig *sig, uint32_t count);

/* Appends a copy of a string and a NUL to the block's text. There must be room for both. Returns the copy. */
const char *event_block_add_text(struct event_block *block, const char *text, size_t length);

#endif
