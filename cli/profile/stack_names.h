/* SPDX-License-Identifier: MIT
 * The names of all functions of a profile, and where they are.
 */
#ifndef CLI_STACK_NAMES_H
#define CLI_STACK_NAMES_H

#include "input/map_names.h"
#include "trace/stacks/stack_functions.h"

/* By number of the function. */
struct stack_names {
    char **names;
    char **places; /* file, line and column, or "(unknown)" */
    size_t count;
};

/* Errors: those of map_names_find(); there is then nothing to free. */
int stack_names_find(struct stack_names *n, struct map_names *names, const struct stack_functions *functions);
void stack_names_free(struct stack_names *n);

#endif
