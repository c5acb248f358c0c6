/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/chunk_list.h"

#include "base/error.h"

#include <stdlib.h>

int trace_chunk_list_add(struct trace_chunk_list *list, const struct trace_chunk_entry *entry)
{
    if (list->count == list->room) {
        size_t room = list->room == 0 ? 64 : 2 * list->room;
        struct trace_chunk_entry *entries = realloc(list->entries, room * sizeof *entries);
        if (entries == NULL)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        list->entries = entries;
        list->room = room;
    }
    list->entries[list->count++] = *entry;
    return 0;
}
