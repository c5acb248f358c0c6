/* SPDX-License-Identifier: MIT
 * Backtraces, each kept once.
 */
#ifndef CLI_STACK_TABLE_H
#define CLI_STACK_TABLE_H

#include "base/arena.h"
#include "trace/model.h"

struct stack {
    uint64_t hash;
    uint32_t frame_count;
    const struct trace_frame *frames; /* innermost first; in the table's memory, with all their strings */
};

struct stack_table {
    struct arena arena;
    struct stack *stacks; /* number 0 is the empty one */
    uint32_t count;
    uint32_t room;
    uint32_t *slots;     /* stack number + 1, or 0; hashed */
    uint32_t slot_count; /* a power of two */
};

int stack_table_init(struct stack_table *t);
void stack_table_fini(struct stack_table *t);

/* The number of the stack with these frames, which are copied if they are new. ERR_MEMORY. */
int stack_table_find(struct stack_table *t, const struct trace_frame *frames, uint32_t count, uint32_t *out);

#endif
