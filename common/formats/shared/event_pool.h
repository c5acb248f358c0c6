/* SPDX-License-Identifier: MIT
 * Memory of events, used again for others once they are released.
 */
#ifndef FORMATS_EVENT_POOL_H
#define FORMATS_EVENT_POOL_H

#include "base/buf.h"
#include "trace/event.h"

/* An event and what it points to. */
struct event_block {
    struct trace_event event;
    struct trace_call call;
    struct trace_heap heap;
    struct trace_frame *frames;
    uint32_t frame_cap;
    struct trace_value *args;
    uint32_t arg_cap;
    struct buf text;          /* its strings */
    struct event_block *next; /* of those that are free */
};

/* Zero-initialise it. */
struct event_pool {
    struct event_block *free;
};

void event_pool_fini(struct event_pool *p);

/* An event without a kind, arguments, frames and text, whose call is the block's; NULL: out of memory,
 * message set. */
struct event_block *event_pool_take(struct event_pool *p);
void event_pool_give_back(struct event_pool *p, struct event_block *block);

/* The event of a block for whoever asked for one; its owner is the block, */
static inline void event_block_hand_out(struct event_block *block, struct trace_event *out)
{
    *out = block->event;
    out->owner = block;
}

/* which goes back to the pool when the event is released. */
void event_pool_release(struct event_pool *p, const struct trace_event *event);

/* Makes room: afterwards count frames that say nothing, count arguments, or count bytes of text can be
 * written. Text does not move until more is asked for. TRACE_ERR_MEMORY. */
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

/* Copies a string behind those that are there, for which there is room, and a NUL. */
const char *event_block_add_text(struct event_block *block, const char *text, size_t length);

#endif
