/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include "base/error.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 16

int array_grow(void *items, size_t *room, size_t item_size)
{
    size_t wanted = *room == 0 ? FIRST_ROOM : 2 * *room;
    void *old;
    memcpy(&old, items, sizeof old); /* all object pointers have the same representation */
    void *grown = *room > SIZE_MAX / 2 / item_size ? NULL : realloc(old, wanted * item_size);
    if (grown == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    memcpy(items, &grown, sizeof grown);
    *room = wanted;
    return 0;
}
