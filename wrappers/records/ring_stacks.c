/* SPDX-License-Identifier: MIT */
#include "records/ring_stacks.h"

#include "base/error.h"
#include "base/varint.h"
#include "formats/apitrace/format.h"

#include <stdlib.h>
#include <string.h>

struct ring_stack {
    uint32_t count;
    uint32_t size;  /* of text; 0 until the frames were written with all that is known of them */
    uint32_t ids[]; /* of frames; then the text: the backtrace as frames that are known */
};

static uint8_t *text_of(struct ring_stack *stack)
{
    return (uint8_t *)&stack->ids[stack->count];
}

void ring_stacks_reset(struct ring_stacks *s)
{
    for (unsigned i = 0; s->stacks != NULL && i < RECORD_STACK_NUMBERS; ++i) {
        free(s->stacks[i]);
        s->stacks[i] = NULL;
    }
    s->modules = 0;
    s->next = NULL;
}

void ring_stacks_fini(struct ring_stacks *s)
{
    ring_stacks_reset(s);
    free(s->stacks);
    s->stacks = NULL;
}

int ring_stacks_take_module(struct ring_stacks *s, struct stack_frames *frames, const uint8_t *body,
                            size_t size)
{
    struct record_module header;
    if (size <= sizeof header || memchr(body + sizeof header, '\0', size - sizeof header) == NULL)
        return 0;
    memcpy(&header, body, sizeof header);
    struct stack_module module = {.start = header.start,
                                  .end = header.end,
                                  .base = header.base,
                                  .is_program = header.is_program != 0,
                                  .build_id_size = header.build_id_size,
                                  .path = (const char *)body + sizeof header};
    if (header.build_id_size > sizeof module.build_id)
        return 0;
    memcpy(module.build_id, header.build_id, sizeof module.build_id);
    int rc = stack_frames_add_module(frames, &module, header.serial);
    if (rc == 0 && header.serial == s->modules)
        s->modules++;
    return rc;
}

/* Appends the frames of a place. Returns how many there are now, or an error. */
static int add_place(const struct ring_stacks *s, struct stack_frames *frames, uint64_t place, uint32_t *ids,
                     uint32_t count)
{
    uint32_t first, more;
    int rc = stack_frames_find(frames, s->modules, place, &first, &more);
    for (uint32_t i = 0; rc == 0 && i < more && count < RECORD_STACK_PLACES; ++i)
        ids[count++] = first + i;
    return rc != 0 ? rc : (int)count;
}

/* wanted: frames, at least, before the rest of the places is left out. */
static int make_stack(const struct ring_stacks *s, struct stack_frames *frames, const uint8_t *places,
                      size_t count, uint32_t wanted, struct ring_stack **out)
{
    uint32_t ids[RECORD_STACK_PLACES];
    int used = 0;
    for (size_t i = 0; i < count && used >= 0 && (uint32_t)used < wanted; ++i) {
        uint64_t place;
        memcpy(&place, places + i * sizeof place, sizeof place);
        used = add_place(s, frames, place, ids, (uint32_t)used);
    }
    if (used < 0)
        return used;
    size_t text = 1 + VARINT_MAX_BYTES + (size_t)used * VARINT_MAX_BYTES;
    struct ring_stack *stack = malloc(sizeof *stack + (size_t)used * sizeof stack->ids[0] + text);
    if (stack == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: backtraces");
    stack->count = (uint32_t)used;
    stack->size = 0;
    memcpy(stack->ids, ids, (size_t)used * sizeof ids[0]);
    *out = stack;
    return 0;
}

static int define_stack(struct ring_stacks *s, struct stack_frames *frames, const struct record *r,
                        const uint8_t *body, size_t size)
{
    struct ring_stack *stack = NULL;
    if (s->stacks == NULL)
        s->stacks = calloc(RECORD_STACK_NUMBERS, sizeof *s->stacks);
    if (s->stacks == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: backtraces");
    int rc = make_stack(s, frames, body, size / sizeof(uint64_t), r->time, &stack);
    if (rc != 0)
        return rc;
    free(s->stacks[r->order]);
    s->stacks[r->order] = stack;
    return 0;
}

int ring_stacks_take_stack(struct ring_stacks *s, struct stack_frames *frames, const struct record *r,
                           const uint8_t *body, size_t size)
{
    s->next = NULL;
    if (r->order >= RECORD_STACK_NUMBERS || size > RECORD_STACK_PLACES * sizeof(uint64_t))
        return 0;
    int rc = size > 0 ? define_stack(s, frames, r, body, size) : 0;
    if (rc == 0)
        ring_stacks_take_number(s, r);
    return rc;
}

const uint8_t *ring_stacks_known(const struct ring_stacks *s, uint16_t function, uint32_t *size)
{
    static const uint8_t none;
    struct ring_stack *stack = s->function == function ? s->next : NULL;
    *size = stack != NULL ? stack->size : 0;
    if (stack == NULL)
        return &none;
    return stack->size > 0 ? text_of(stack) : NULL;
}

static void encode_known(struct ring_stack *stack)
{
    uint8_t *start = text_of(stack), *at = start;
    *at++ = TRACE_DETAIL_BACKTRACE;
    at += varint_put(at, stack->count);
    for (uint32_t i = 0; i < stack->count; ++i)
        at += varint_put(at, stack->ids[i]);
    stack->size = (uint32_t)(at - start);
}

void ring_stacks_encode(struct ring_stacks *s, const struct stack_frames *frames, uint16_t function,
                        struct trace_encoder *e)
{
    struct ring_stack *stack = s->next;
    s->next = NULL;
    if (stack == NULL || s->function != function)
        return;
    if (stack->size > 0) {
        e->failed |= buf_append(e->out, text_of(stack), stack->size) != 0;
        return;
    }
    struct trace_frame list[RECORD_STACK_PLACES];
    for (uint32_t i = 0; i < stack->count; ++i)
        list[i] = frames->frames[stack->ids[i]];
    trace_encode_backtrace(e, list, stack->count);
    encode_known(stack);
}
