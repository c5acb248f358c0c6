/* SPDX-License-Identifier: MIT
 * The stacks of a tree as JSON.
 */
#ifndef CLI_STACK_JSON_H
#define CLI_STACK_JSON_H

#include "base/buf.h"
#include "profile/stack_names.h"
#include "profile/stack_tops.h"

struct stack_json {
    const struct call_tree *tree;
    const struct stack_tops *tops;
    const struct stack_names *names;
    double per_second; /* of the tree's times; 0: unknown, and times are ticks */
    int (*write)(struct buf *text);
};

/* Writes the stacks: an array with an object for each, in which "Parent" is the "Id" of the one without its
 * last call. Errors: TRACE_ERR_MEMORY, and those of write(). */
int stack_json_write(const struct stack_json *s);

#endif
