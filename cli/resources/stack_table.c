/* SPDX-License-Identifier: MIT */
#include "resources/stack_table.h"

#include "base/error.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 1024

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

int stack_table_init(struct stack_table *t)
{
    memset(t, 0, sizeof *t);
    arena_init(&t->arena);
    t->slot_count = FIRST_SLOTS;
    t->room = FIRST_SLOTS / 2;
    t->slots = calloc(t->slot_count, sizeof *t->slots);
    t->stacks = calloc(t->room, sizeof *t->stacks);
    if (t->slots == NULL || t->stacks == NULL) {
        stack_table_fini(t);
        return no_memory();
    }
    t->count = 1;
    return 0;
}

void stack_table_fini(struct stack_table *t)
{
    arena_fini(&t->arena);
    free(t->stacks);
    free(t->slots);
    t->stacks = NULL;
    t->slots = NULL;
}

/* --- equality -------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; text != NULL && *text != '\0'; ++text)
        hash = mix(hash, (unsigned char)*text);
    return hash;
}

/* Hashes the addresses of the frames, which distinguish most stacks. A frame without an address is hashed by
 * its name. */
static uint64_t hash_frames(const struct trace_frame *frames, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; ++i) {
        hash = mix(hash, frames[i].address);
        if (frames[i].address == 0) {
            hash = mix(hash, (uint64_t)frames[i].offset);
            hash = mix_text(mix_text(hash, frames[i].module), frames[i].function);
        }
    }
    return hash;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same_frame(const struct trace_frame *a, const struct trace_frame *b)
{
    return a->address == b->address && a->line == b->line && a->offset == b->offset &&
           is_same_text(a->function, b->function) && is_same_text(a->module, b->module) &&
           is_same_text(a->file, b->file);
}

static bool is_same(const struct stack *stack, uint64_t hash, const struct trace_frame *frames,
                    uint32_t count)
{
    if (stack->hash != hash || stack->frame_count != count)
        return false;
    for (uint32_t i = 0; i < count; ++i)
        if (!is_same_frame(&stack->frames[i], &frames[i]))
            return false;
    return true;
}

/* --- adding ---------------------------------------------------------------------------------------- */

static bool copy_text(struct stack_table *t, const char **text)
{
    if (*text == NULL)
        return true;
    *text = arena_copy(&t->arena, *text, strlen(*text) + 1);
    return *text != NULL;
}

static const struct trace_frame *copy_frames(struct stack_table *t, const struct trace_frame *frames,
                                             uint32_t count)
{
    struct trace_frame *copy = arena_copy(&t->arena, frames, count * sizeof *frames);
    for (uint32_t i = 0; copy != NULL && i < count; ++i)
        if (!copy_text(t, &copy[i].module) || !copy_text(t, &copy[i].function) ||
            !copy_text(t, &copy[i].file))
            return NULL;
    return copy;
}

static uint32_t *find_slot(const struct stack_table *t, uint64_t hash, const struct trace_frame *frames,
                           uint32_t count)
{
    uint32_t at = (uint32_t)hash & (t->slot_count - 1);
    while (t->slots[at] != 0 && !is_same(&t->stacks[t->slots[at] - 1], hash, frames, count))
        at = (at + 1) & (t->slot_count - 1);
    return &t->slots[at];
}

static int grow(struct stack_table *t)
{
    uint32_t *slots = calloc((size_t)t->slot_count * 2, sizeof *slots);
    struct stack *stacks = slots != NULL ? realloc(t->stacks, (size_t)t->room * 2 * sizeof *stacks) : NULL;
    if (stacks == NULL) {
        free(slots);
        return no_memory();
    }
    free(t->slots);
    t->slots = slots;
    t->slot_count *= 2;
    t->stacks = stacks;
    t->room *= 2;
    for (uint32_t i = 1; i < t->count; ++i)
        *find_slot(t, stacks[i].hash, stacks[i].frames, stacks[i].frame_count) = i + 1;
    return 0;
}

int stack_table_find(struct stack_table *t, const struct trace_frame *frames, uint32_t count, uint32_t *out)
{
    *out = 0;
    if (count == 0)
        return 0;
    uint64_t hash = hash_frames(frames, count);
    uint32_t *slot = find_slot(t, hash, frames, count);
    if (*slot != 0) {
        *out = *slot - 1;
        return 0;
    }
    if (t->count == t->room) {
        int rc = grow(t);
        if (rc != 0)
            return rc;
        slot = find_slot(t, hash, frames, count);
    }
    const struct trace_frame *copy = copy_frames(t, frames, count);
    if (copy == NULL)
        return no_memory();
    t->stacks[t->count] = (struct stack){hash, count, copy};
    *out = t->count++;
    *slot = *out + 1;
    return 0;
}
