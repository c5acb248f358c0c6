/* SPDX-License-Identifier: MIT */
#include "profile/stack_names.h"

#include "base/error.h"

#include <stdlib.h>

int stack_names_find(struct stack_names *n, struct map_names *names, const struct stack_functions *functions)
{
    *n = (struct stack_names){.names = calloc(functions->count + 1, sizeof *n->names),
                              .places = calloc(functions->count + 1, sizeof *n->places)};
    bool has_memory = n->names != NULL && n->places != NULL;
    int rc = has_memory ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; rc == 0 && i < functions->count; ++i) {
        rc = map_names_find(names, functions->functions[i].sig, &n->names[i], &n->places[i]);
        n->count += rc == 0;
    }
    if (rc != 0)
        stack_names_free(n);
    return rc;
}

void stack_names_free(struct stack_names *n)
{
    for (size_t i = 0; i < n->count; ++i) {
        free(n->names[i]);
        free(n->places[i]);
    }
    free(n->names);
    free(n->places);
}
