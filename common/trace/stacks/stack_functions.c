/* SPDX-License-Identifier: MIT */
#include "trace/stacks/stack_functions.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define GROUP_NAME_MAX 256 /* bytes; the rest is cut off */

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

void stack_functions_init(struct stack_functions *t)
{
    memset(t, 0, sizeof *t);
    arena_init(&t->arena);
}

void stack_functions_fini(struct stack_functions *t)
{
    free(t->functions);
    int_map_fini(&t->by_sig);
    string_map_fini(&t->by_name);
    string_map_fini(&t->groups);
    arena_fini(&t->arena);
}

/* name is copied. */
static int add(struct stack_functions *t, struct string_map *names, const char *name, uint32_t number,
               size_t *out)
{
    struct trace_function_sig *sig = arena_alloc(&t->arena, sizeof *sig);
    char *copy = arena_copy(&t->arena, name, strlen(name) + 1);
    if (sig == NULL || copy == NULL || ARRAY_RESERVE(t->functions, t->count, t->room) != 0 ||
        string_map_set(names, name, t->count) != 0)
        return no_memory();
    *sig = (struct trace_function_sig){.name = copy, .number = number};
    *out = t->count;
    t->functions[t->count++] = (struct profiled_function){.sig = sig, .is_group = names == &t->groups};
    return 0;
}

static int find_by_name(struct stack_functions *t, const struct trace_function_sig *sig, size_t *out)
{
    uint64_t index;
    int rc = 0;
    if (string_map_get(&t->by_name, sig->name, &index))
        *out = (size_t)index;
    else
        rc = add(t, &t->by_name, sig->name, sig->number, out);
    if (rc != 0)
        return rc;
    return int_map_set(&t->by_sig, (uint64_t)(uintptr_t)sig, *out) == 0 ? 0 : no_memory();
}

int stack_functions_find(struct stack_functions *t, const struct trace_function_sig *sig, size_t *out)
{
    uint64_t index;
    uint32_t place = sig->id % STACK_RECENT_FUNCTIONS;
    *out = t->recent[place].index;
    if (sig == t->recent[place].sig)
        return 0;
    if (int_map_get(&t->by_sig, (uint64_t)(uintptr_t)sig, &index)) {
        *out = (size_t)index;
    } else {
        int rc = find_by_name(t, sig, out);
        if (rc != 0)
            return rc;
    }
    t->recent[place].sig = sig;
    t->recent[place].index = *out;
    return 0;
}

int stack_functions_find_group(struct stack_functions *t, const char *name, size_t length, size_t *out)
{
    char copy[GROUP_NAME_MAX];
    uint64_t index;
    length = length < sizeof copy ? length : sizeof copy - 1;
    memcpy(copy, name, length);
    copy[length] = '\0';
    if (!string_map_get(&t->groups, copy, &index))
        return add(t, &t->groups, copy, 0, out);
    *out = (size_t)index;
    return 0;
}

uint32_t stack_functions_number(const struct stack_functions *t, size_t index)
{
    uint32_t number = t->functions[index].sig->number;
    return number != 0 ? number : (uint32_t)index + 1;
}
