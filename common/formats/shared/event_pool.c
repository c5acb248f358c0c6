/* SPDX-License-Identifier: MIT */
#include "formats/shared/event_pool.h"

#include "base/error.h"

#include <stdlib.h>

#define TEXT_KEPT 65536 /* bytes of text that a free block may keep */

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

static void free_block(struct event_block *block)
{
    buf_fini(&block->text);
    free(block->frames);
    free(block->args);
    free(block);
}

void event_pool_fini(struct event_pool *p)
{
    while (p->free != NULL) {
        struct event_block *block = p->free;
        p->free = block->next;
        free_block(block);
    }
}

static void reset(struct event_block *block)
{
    block->event.call = &block->call;
    block->call.arg_count = 0;
    block->call.args = NULL;
    block->call.frame_count = 0;
    block->call.frames = NULL;
    buf_clear(&block->text);
}

struct event_block *event_pool_take(struct event_pool *p)
{
    struct event_block *block = p->free;
    if (block != NULL) {
        p->free = block->next;
    } else {
        block = calloc(1, sizeof *block);
        if (block == NULL) {
            no_memory();
            return NULL;
        }
        block->call.leave_time = TRACE_NO_TIME;
        block->call.ret.type = TRACE_NONE;
    }
    reset(block);
    return block;
}

void event_pool_give_back(struct event_pool *p, struct event_block *block)
{
    if (block->text.cap > TEXT_KEPT)
        buf_fini(&block->text);
    block->next = p->free;
    p->free = block;
}

/* The first string of a block has the block's address before it. */
static struct event_block *block_of_text(const char *text)
{
    struct event_block *block;
    memcpy(&block, text - sizeof block, sizeof block);
    return block;
}

static struct event_block *block_of(const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_EVENT_ALLOC:
    case TRACE_EVENT_FREE:
        return (struct event_block *)((uintptr_t)event->call - offsetof(struct event_block, call));
    case TRACE_EVENT_HEAP:
        return (struct event_block *)((uintptr_t)event->u.heap - offsetof(struct event_block, heap));
    case TRACE_EVENT_CONTEXT:
        return block_of_text(event->u.context.name);
    case TRACE_EVENT_TRACER:
        return block_of_text(event->u.tracer.name);
    case TRACE_EVENT_MAPPING:
        return block_of_text(event->u.mapping.path);
    case TRACE_EVENT_ATTACHMENT:
        return block_of_text(event->u.attachment.name);
    case TRACE_EVENT_COMMENT:
        return block_of_text(event->u.text);
    default:
        return NULL; /* what it points to stays */
    }
}

void event_pool_release(struct event_pool *p, const struct trace_event *event)
{
    struct event_block *block = block_of(event);
    if (block != NULL)
        event_pool_give_back(p, block);
}

/* --- room ------------------------------------------------------------------------------------------ */

static uint32_t grown(uint32_t cap, uint32_t count)
{
    uint32_t doubled = cap < UINT32_MAX / 2 ? 2 * cap : UINT32_MAX;
    return count > doubled ? count : doubled;
}

int event_block_grow_frames(struct event_block *block, uint32_t count)
{
    uint32_t cap = grown(block->frame_cap, count);
    struct trace_frame *frames = realloc(block->frames, cap * sizeof *frames);
    if (frames == NULL)
        return no_memory();
    for (uint32_t i = block->frame_cap; i < cap; ++i)
        frames[i] = (struct trace_frame){.line = -1, .offset = -1};
    block->frames = frames;
    block->frame_cap = cap;
    return 0;
}

int event_block_grow_args(struct event_block *block, uint32_t count)
{
    uint32_t cap = grown(block->arg_cap, count);
    struct trace_value *args = realloc(block->args, cap * sizeof *args);
    if (args == NULL)
        return no_memory();
    block->args = args;
    block->arg_cap = cap;
    return 0;
}

int event_block_reserve_text(struct event_block *block, size_t count)
{
    if (buf_reserve(&block->text, sizeof block + count) != 0)
        return no_memory();
    if (block->text.len == 0)
        buf_append(&block->text, &block, sizeof block);
    return 0;
}

const char *event_block_add_text(struct event_block *block, const char *text, size_t length)
{
    char *copy = (char *)block->text.data + block->text.len;
    memcpy(copy, text, length);
    copy[length] = '\0';
    block->text.len += length + 1;
    return copy;
}
