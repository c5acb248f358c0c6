/* SPDX-License-Identifier: MIT */
#include "objects/lost_locations.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

void lost_locations_fini(struct lost_locations *l)
{
    while (l->count > 0)
        lost_locations_remove(l, l->count - 1);
    free(l->items);
    *l = (struct lost_locations){0};
}

int lost_locations_add(struct lost_locations *l, uint64_t program, int64_t traced, const char *name)
{
    for (size_t i = 0; i < l->count; ++i)
        if (l->items[i].program == program && l->items[i].traced == traced)
            return 0;
    char *copy = ARRAY_RESERVE(l->items, l->count, l->cap) == 0 ? strdup(name) : NULL;
    if (copy == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for uniform locations");
    l->items[l->count++] = (struct lost_location){program, traced, copy};
    return 0;
}

void lost_locations_remove(struct lost_locations *l, size_t index)
{
    free(l->items[index].name);
    l->items[index] = l->items[--l->count];
}

void lost_locations_remove_program(struct lost_locations *l, uint64_t program)
{
    for (size_t i = l->count; i-- > 0;)
        if (l->items[i].program == program)
            lost_locations_remove(l, i);
}

void uniform_name_fini(struct uniform_name *u)
{
    free(u->name);
    *u = (struct uniform_name){0};
}

int uniform_name_set(struct uniform_name *u, uint64_t program, uint64_t index, const char *name)
{
    uniform_name_fini(u);
    if (name == NULL)
        return 0;
    *u = (struct uniform_name){program, index, strdup(name)};
    return u->name != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory for names of uniforms");
}

const char *uniform_name_get(const struct uniform_name *u, uint64_t program, uint64_t index)
{
    return u->name != NULL && u->program == program && u->index == index ? u->name : NULL;
}
