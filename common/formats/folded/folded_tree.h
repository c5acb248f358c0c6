/* SPDX-License-Identifier: MIT
 * The tree of all stacks: a node is a stack, and its parent is the stack without its innermost function.
 */
#ifndef FOLDED_TREE_H
#define FOLDED_TREE_H

#include "base/buf.h"
#include "base/hash_map.h"

#include <stddef.h>
#include <stdint.h>

#define FOLDED_ROOT 0 /* the empty stack */

struct folded_node {
    uint32_t name; /* its index in the tree's names */
    uint32_t first_child;
    uint32_t next; /* sibling; 0: the last one */
    uint64_t self; /* what is to be printed of the stack */
};

struct folded_tree {
    struct folded_node *nodes;
    size_t count;
    size_t room;
    struct int_map children; /* parent and name to node */
    char **names;            /* as they are printed */
    size_t name_count;
    size_t name_room;
    struct string_map name_indexes;
};

/* Errors: TRACE_ERR_MEMORY, likewise below. */
int folded_tree_init(struct folded_tree *t);
void folded_tree_fini(struct folded_tree *t);

/* Finds or adds a name. What would end a name or a line there is replaced. */
int folded_tree_find_name(struct folded_tree *t, const char *name, uint32_t *out);

/* Finds or adds the stack that has the name in addition to the parent's. */
int folded_tree_find(struct folded_tree *t, uint32_t parent, uint32_t name, uint32_t *out);

/* Calls back with each line, in the order of their bytes, until it returns other than 0. Stacks in which no
 * time was spent have no line, unless nothing else shows them. Returns the callback's result. */
int folded_tree_print(const struct folded_tree *t, int (*put)(void *context, const void *bytes, size_t count),
                      void *context);

#endif
