/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_count_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_member(const struct ctf_class *structure, const char *name)
{
    for (uint32_t i = 0; structure != NULL && i < structure->u.structure.count; ++i)
        if (strcmp(structure->u.structure.members[i].written, name) == 0)
            return true;
    return false;
}

char *ctf_count_name(const struct ctf_class *structure, const char *name)
{
    size_t size = strlen(name) + 16 + (structure != NULL ? structure->u.structure.count : 0);
    char *made = malloc(size), *end;
    if (made == NULL)
        return NULL;
    end = made + snprintf(made, size, "_%s_length", name);
    while (has_member(structure, made)) {
        *end++ = '_';
        *end = '\0';
    }
    return made;
}
