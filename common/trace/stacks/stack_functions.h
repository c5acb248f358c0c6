/* SPDX-License-Identifier: MIT
 * Numbers the functions of a trace, and whatever else can be on a call stack, from 0 in the order of
 * occurrence. Signatures with equal names are one function.
 */
#ifndef TRACE_STACK_FUNCTIONS_H
#define TRACE_STACK_FUNCTIONS_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "trace/model.h"

struct profiled_function {
    const struct trace_function_sig *sig; /* owned by the table: name and number, nothing else */
    bool is_group;                        /* a debug group */
};

#define STACK_RECENT_FUNCTIONS 256u

/* Initialise it with stack_functions_init(). */
struct stack_functions {
    struct profiled_function *functions;
    size_t count;
    size_t room;
    struct int_map by_sig; /* addresses of signatures */
    struct string_map by_name;
    struct string_map groups;
    struct {
        const struct trace_function_sig *sig;
        size_t index;
    } recent[STACK_RECENT_FUNCTIONS]; /* by the lowest bits of the signature's id */
    struct arena arena;
};

void stack_functions_init(struct stack_functions *t);
void stack_functions_fini(struct stack_functions *t);

/* The signature must not change while the table is in use. Errors: TRACE_ERR_MEMORY. */
int stack_functions_find(struct stack_functions *t, const struct trace_function_sig *sig, size_t *out);

/* Returns the number by which the trace knows the function, or one in the order of occurrence, from 1. */
uint32_t stack_functions_number(const struct stack_functions *t, size_t index);

/* Does the same as stack_functions_find() for the debug group with this name. */
int stack_functions_find_group(struct stack_functions *t, const char *name, size_t length, size_t *out);

#endif
