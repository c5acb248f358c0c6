/* SPDX-License-Identifier: MIT */
#include "trace/mapped_files.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void mapped_files_fini(struct mapped_files *files)
{
    for (size_t i = 0; i < files->count; ++i)
        free((char *)files->entries[i].path);
    free(files->entries);
    memset(files, 0, sizeof *files);
}

static int reserve(struct mapped_files *files, size_t more)
{
    if (files->count + more <= files->room)
        return 0;
    size_t room = files->room == 0 ? 64 : files->room * 2;
    struct trace_mapping *entries = realloc(files->entries, room * sizeof *entries);
    if (entries == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    files->entries = entries;
    files->room = room;
    return 0;
}

/* Returns the index of the first entry that ends after the address. */
static size_t find_place(const struct mapped_files *files, uint64_t address)
{
    size_t low = 0, high = files->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (files->entries[middle].to <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void remove_entry(struct mapped_files *files, size_t at)
{
    free((char *)files->entries[at].path);
    memmove(&files->entries[at], &files->entries[at + 1], (files->count - at - 1) * sizeof *files->entries);
    files->count--;
}

static void insert_entry(struct mapped_files *files, size_t at, struct trace_mapping entry)
{
    memmove(&files->entries[at + 1], &files->entries[at], (files->count - at) * sizeof *files->entries);
    files->entries[at] = entry;
    files->count++;
}

/* Makes the part of the entry from that address on a separate entry. There is room for it. */
static int split_entry(struct mapped_files *files, size_t at, uint64_t address)
{
    struct trace_mapping upper = files->entries[at];
    upper.path = strdup(upper.path);
    if (upper.path == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (upper.offset != TRACE_NO_OFFSET)
        upper.offset += address - upper.from;
    upper.from = address;
    files->entries[at].to = address;
    insert_entry(files, at + 1, upper);
    return 0;
}

/* Splits the entry that contains the address, if any. */
static int cut_at(struct mapped_files *files, uint64_t address)
{
    size_t at = find_place(files, address);
    bool is_inside = at < files->count && files->entries[at].from < address;
    return is_inside ? split_entry(files, at, address) : 0;
}

int mapped_files_add(struct mapped_files *files, const struct trace_mapping *mapping)
{
    struct trace_mapping entry = *mapping;
    if (entry.from >= entry.to || entry.path == NULL)
        return 0;
    int rc = reserve(files, 3);
    if (rc == 0)
        rc = cut_at(files, entry.from);
    if (rc == 0)
        rc = cut_at(files, entry.to);
    if (rc != 0)
        return rc;
    size_t at = find_place(files, entry.from);
    while (at < files->count && files->entries[at].from < entry.to)
        remove_entry(files, at);
    entry.path = strdup(entry.path);
    if (entry.path == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    insert_entry(files, at, entry);
    return 0;
}

const struct trace_mapping *mapped_files_find(const struct mapped_files *files, uint64_t address)
{
    size_t at = find_place(files, address);
    return at < files->count && files->entries[at].from <= address ? &files->entries[at] : NULL;
}

void mapped_files_place(const struct mapped_files *files, struct trace_frame *frame)
{
    const struct trace_mapping *mapping = mapped_files_find(files, frame->address);
    if (frame->address == 0 || frame->offset >= 0)
        return;
    frame->offset = (int64_t)frame->address;
    if (mapping == NULL)
        return;
    frame->offset -= (int64_t)mapping->from;
    if (mapping->offset != TRACE_NO_OFFSET)
        frame->offset += (int64_t)mapping->offset;
    if (frame->module == NULL)
        frame->module = mapping->path;
}
