/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/chunk_list.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

int trace_chunk_list_add(struct trace_chunk_list *list, const struct trace_chunk_entry *entry)
{
    if (ARRAY_RESERVE(list->entries, list->count, list->room) != 0)
        return TRACE_ERR_MEMORY;
    list->entries[list->count++] = *entry;
    return 0;
}
