/* SPDX-License-Identifier: MIT */
#include "formats/shared/event_pool.h"

#include "base/error.h"

#include <stdlib.h>

#define TEXT_KEPT 65536 /* the highest number of bytes of text that a free block keeps */

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

static void reset_call(struct event_block *block)
{
    block->call.enter_time = block->call.leave_time = TRACE_NO_TIME;
    block->call.thread = block->call.flags = 0;
    block->call.sig = NULL;
    block->call.ret.type = TRACE_NONE;
    block->call.arg_count = 0;
    block->call.args = NULL;
    block->call.frame_count = 0;
    block->call.frames = NULL;
    buf_clear(&block->text);
}

struct event_block *event_pool_take_call(struct event_pool *p)
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
    }
    reset_call(block);
    return block;
}

struct event_block *event_pool_take(struct event_pool *p)
{
    struct event_block *block = event_pool_take_call(p);
    if (block != NULL)
        block->event = (struct trace_event){.time = TRACE_NO_TIME, .call = &block->call};
    return block;
}

void event_pool_give_back(struct event_pool *p, struct event_block *block)
{
    if (block->text.cap > TEXT_KEPT)
        buf_fini(&block->text);
    block->next = p->free;
    p->free = block;
}

void event_pool_release(struct event_pool *p, const struct trace_event *event)
{
    if (event->owner != NULL)
        event_pool_give_back(p, event->owner);
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
    return buf_reserve(&block->text, count) == 0 ? 0 : no_memory();
}

int event_block_set_function(struct event_block *block, const struct trace_function_sig *sig, uint32_t count)
{
    uint32_t all = count > sig->arg_count ? count : sig->arg_count;
    int rc = event_block_reserve_args(block, all);
    if (rc != 0)
        return rc;
    for (uint32_t i = count; i < all; ++i)
        block->args[i] = (struct trace_value){.type = TRACE_NONE};
    block->call.sig = sig;
    block->call.args = block->args;
    block->call.arg_count = all;
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
