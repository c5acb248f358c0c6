/* SPDX-License-Identifier: MIT
 * A table of backtraces in which each is stored once.
 */
#ifndef CLI_STACK_TABLE_H
#define CLI_STACK_TABLE_H

#include "base/arena.h"
#include "trace/model.h"

struct stack {
    uint64_t hash;
    uint32_t frame_count;
    const struct trace_frame *frames; /* innermost frame first; stored in the table with all strings */
};

struct stack_table {
    struct arena arena;
    struct stack *stacks; /* index 0 is the empty stack */
    uint32_t count;
    uint32_t room;
    uint32_t *slots;     /* hash table of stack index + 1; 0: empty slot */
    uint32_t slot_count; /* a power of two */
};

int stack_table_init(struct stack_table *t);
void stack_table_fini(struct stack_table *t);

/* Returns in *number the index of the stack with these frames. If it is new, the frames are copied. Errors:
 * TRACE_ERR_MEMORY. */
int stack_table_find(struct stack_table *t, const struct trace_frame *frames, uint32_t count, uint32_t *out);

#endif
