/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_lines.h"

#include "base/array.h"
#include "base/error.h"
#include "symbols/dwarf_line_program.h"

#include <stdlib.h>
#include <string.h>

#define PATHS_MAX ((size_t)64 << 20) /* bytes of a table's paths; a damaged one may repeat a long one */

/* What is known while a table is read. */
struct line_reader {
    struct dwarf_lines *lines;
    const char *unit_directory; /* may be NULL */
    const char **directories;   /* by number */
    size_t directory_count, directory_room;
    size_t sequence; /* index of its first line */
    uint64_t lowest;
    bool numbered_from_0;
};

void dwarf_lines_fini(struct dwarf_lines *l)
{
    free(l->lines);
    free(l->sequences);
    free(l->files);
    address_map_fini(&l->map);
    arena_fini(&l->texts);
    *l = (struct dwarf_lines){0};
}

/* --- files ----------------------------------------------------------------------------------------- */

/* Returns "directory/below/name" without the parts that are NULL, beginning with the last absolute one. */
static const char *join_path(struct dwarf_lines *l, const char *directory, const char *below,
                             const char *name)
{
    const char *parts[] = {directory, below, name};
    size_t first = 2, size = 0;
    while (first > 0 && (parts[first] == NULL || parts[first][0] != '/'))
        --first;
    for (size_t i = first; i < 3; ++i)
        size += parts[i] != NULL ? strlen(parts[i]) + 1 : 0;
    char *path = arena_alloc(&l->texts, size), *end = path;
    l->memory += size;
    for (size_t i = first; i < 3 && path != NULL; ++i) {
        if (parts[i] == NULL || parts[i][0] == '\0')
            continue;
        if (end != path && end[-1] != '/')
            *end++ = '/';
        end = stpcpy(end, parts[i]);
    }
    if (path != NULL)
        *end = '\0';
    return path;
}

static int add_directory(void *context, const char *path)
{
    struct line_reader *r = context;
    if (ARRAY_RESERVE(r->directories, r->directory_count, r->directory_room) != 0)
        return TRACE_ERR_MEMORY;
    r->directories[r->directory_count++] = path;
    return 0;
}

/* Directory 0 is the unit's own, of which version 5 has another copy. */
static const char *directory_at(const struct line_reader *r, uint64_t number)
{
    if (number == 0 && (r->unit_directory != NULL || !r->numbered_from_0))
        return NULL;
    uint64_t index = r->numbered_from_0 ? number : number - 1;
    return index < r->directory_count ? r->directories[index] : NULL;
}

static int add_path(struct dwarf_lines *l, const char *path)
{
    if (ARRAY_RESERVE(l->files, l->file_count, l->file_room) != 0)
        return TRACE_ERR_MEMORY;
    l->files[l->file_count++] = path;
    return 0;
}

static int add_file(void *context, const char *name, uint64_t directory)
{
    struct line_reader *r = context;
    struct dwarf_lines *l = r->lines;
    if (l->file_count == 0 && !r->numbered_from_0 && add_path(l, NULL) != 0)
        return TRACE_ERR_MEMORY;
    if (l->memory > PATHS_MAX)
        return add_path(l, NULL);
    const char *path = join_path(l, r->unit_directory, directory_at(r, directory), name);
    return path != NULL ? add_path(l, path) : TRACE_ERR_MEMORY;
}

/* --- lines ----------------------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b)
{
    const struct dwarf_line *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static int add_row(void *context, uint64_t address, uint64_t file, uint64_t line)
{
    struct dwarf_lines *l = ((struct line_reader *)context)->lines;
    if (l->line_count == UINT32_MAX)
        return 0;
    if (ARRAY_RESERVE(l->lines, l->line_count, l->line_room) != 0)
        return TRACE_ERR_MEMORY;
    l->lines[l->line_count++] = (struct dwarf_line){address, file <= UINT32_MAX ? (uint32_t)file : UINT32_MAX,
                                                    line <= UINT32_MAX ? (uint32_t)line : 0};
    return 0;
}

/* Ends a sequence that consists of the lines from `first` on. */
static int add_sequence(struct dwarf_lines *l, size_t first, uint64_t end, uint64_t lowest)
{
    size_t count = l->line_count - first;
    bool sorted = true;
    for (size_t i = first + 1; i < l->line_count; ++i)
        sorted = sorted && l->lines[i - 1].address <= l->lines[i].address;
    if (!sorted)
        qsort(l->lines + first, count, sizeof *l->lines, compare_lines);
    if (count == 0 || l->lines[first].address < lowest || l->lines[first].address >= end) {
        l->line_count = first;
        return 0;
    }
    if (ARRAY_RESERVE(l->sequences, l->sequence_count, l->sequence_room) != 0)
        return TRACE_ERR_MEMORY;
    l->sequences[l->sequence_count] = (struct dwarf_line_sequence){(uint32_t)first, (uint32_t)count};
    return address_map_add(&l->map, l->lines[first].address, end, (uint32_t)l->sequence_count++);
}

static int end_sequence(void *context, uint64_t end)
{
    struct line_reader *r = context;
    int rc = add_sequence(r->lines, r->sequence, end, r->lowest);
    r->sequence = r->lines->line_count;
    return rc;
}

/* --- the table ------------------------------------------------------------------------------------- */

int dwarf_lines_read(struct dwarf_lines *out, const struct dwarf_data *data, const struct dwarf_head *unit,
                     uint64_t table, const char *directory)
{
    struct dwarf_line_head head;
    struct line_reader r = {.lines = out, .unit_directory = directory, .lowest = data->lowest};
    const struct dwarf_line_sink sink = {add_directory, add_file, add_row, end_sequence, &r};
    *out = (struct dwarf_lines){0};
    arena_init(&out->texts);
    if (!dwarf_line_head_read(&head, data, table))
        return 0;
    r.numbered_from_0 = head.sizes.version >= 5;
    int rc = dwarf_line_files_read(&head, data, unit, &sink);
    if (rc == 0)
        rc = dwarf_line_program_run(&head, data, &sink);
    out->line_count = r.sequence;
    free(r.directories);
    if (rc == 0)
        rc = address_map_finish(&out->map);
    out->memory += out->line_room * sizeof *out->lines + out->sequence_room * sizeof *out->sequences +
                   out->file_room * sizeof *out->files + address_map_memory(&out->map);
    return rc;
}

const struct dwarf_line *dwarf_lines_find(const struct dwarf_lines *l, uint64_t address)
{
    uint32_t index;
    if (!address_map_find(&l->map, address, &index))
        return NULL;
    const struct dwarf_line *lines = l->lines + l->sequences[index].first;
    size_t from = 0, to = l->sequences[index].count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (lines[middle].address <= address)
            from = middle + 1;
        else
            to = middle;
    }
    return from > 0 ? &lines[from - 1] : NULL;
}

const char *dwarf_lines_file(const struct dwarf_lines *l, uint64_t number)
{
    return number < l->file_count ? l->files[number] : NULL;
}
