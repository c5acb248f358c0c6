/* SPDX-License-Identifier: MIT
 * Where the stacks of a tree begin: at each thread, or at one node for all of them.
 */
#ifndef CLI_STACK_TOPS_H
#define CLI_STACK_TOPS_H

#include "trace/stacks/call_tree.h"

struct stack_tops {
    uint32_t *nodes;               /* in the order in which they are printed, which is llvm-xray's */
    struct thread_stack **threads; /* of each node; NULL: the node is that of all threads */
    size_t count;
};

/* merged: equal stacks of different threads become one. Errors: TRACE_ERR_MEMORY; there is then nothing to
 * free. */
int stack_tops_find(struct stack_tops *tops, struct call_tree *t, bool merged);
void stack_tops_free(struct stack_tops *tops);

#endif
