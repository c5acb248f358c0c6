/* SPDX-License-Identifier: MIT */
#include "runtime/spec.h"
#include "runtime/tables.h"

#include <string.h>

const struct spec_function *spec_find_function(const char *name)
{
    size_t low = 0, high = spec_function_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct spec_function *f = &spec_functions[spec_functions_by_name[middle]];
        int order = strcmp(name, f->name);
        if (order == 0)
            return f;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool spec_group_has(const struct spec_group *group, int64_t value)
{
    size_t low = 0, high = group->value_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (group->by_value[middle] == value)
            return true;
        if (value < group->by_value[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}
