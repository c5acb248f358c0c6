/* SPDX-License-Identifier: MIT
 * The stacks of a tree as lines "outermost;...;innermost VALUE", as flame graph tools read them.
 */
#ifndef TRACE_FOLDED_STACKS_H
#define TRACE_FOLDED_STACKS_H

#include "base/buf.h"
#include "trace/stacks/call_tree.h"

enum folded_value {
    FOLDED_SELF,  /* time, without the calls that were made */
    FOLDED_TOTAL, /* time, with them */
    FOLDED_COUNT, /* calls */
};

struct folded_stacks {
    enum folded_value value;
    bool like_llvm; /* a semicolon follows the last name, and stacks without a value are printed, too */
    /* Names of functions by their numbers in the tree's table. */
    const char *const *names;
    struct buf *out;
    /* Called when out has many bytes, and empties it. */
    int (*flush)(void *context);
    void *context;
};

/* Appends a line for each stack below the tree's node top. prefix comes before the names, with its semicolon.
 * Errors: TRACE_ERR_MEMORY, and those of flush. */
int folded_stacks_append(const struct folded_stacks *f, const struct call_tree *t, uint32_t top,
                         const char *prefix);

#endif
