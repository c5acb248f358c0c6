/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_lines.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define FILES_MAX 100000 /* libdwarf searches for a file in a linked list */

void dwarf_lines_fini(struct dwarf_lines *l)
{
    free(l->lines);
    free(l->sequences);
    free(l->files);
    address_map_fini(&l->map);
    arena_fini(&l->texts);
    *l = (struct dwarf_lines){0};
}

/* Frees the error of a libdwarf function. Returns true if its result is DW_DLV_OK. */
static bool succeeded(Dwarf_Debug debug, int result, Dwarf_Error error)
{
    if (result == DW_DLV_ERROR && error != NULL)
        dwarf_dealloc(debug, error, DW_DLA_ERROR);
    return result == DW_DLV_OK;
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

static const char *include_directory(Dwarf_Debug debug, Dwarf_Line_Context context, Dwarf_Unsigned index)
{
    const char *name = NULL;
    Dwarf_Error error = NULL;
    int result = dwarf_srclines_include_dir_data(context, (Dwarf_Signed)index, &name, &error);
    return succeeded(debug, result, error) ? name : NULL;
}

static int read_file(struct dwarf_lines *l, Dwarf_Debug debug, Dwarf_Line_Context context,
                     const char *directory, Dwarf_Signed index)
{
    const char *name = NULL;
    Dwarf_Unsigned below = 0, time, size;
    Dwarf_Error error = NULL;
    int result = dwarf_srclines_files_data_b(context, index, &name, &below, &time, &size, NULL, &error);
    if (!succeeded(debug, result, error) || name == NULL)
        return 0;
    l->files[index] = join_path(l, directory, include_directory(debug, context, below), name);
    return l->files[index] != NULL ? 0 : TRACE_ERR_MEMORY;
}

static int read_files(struct dwarf_lines *l, Dwarf_Debug debug, Dwarf_Line_Context context,
                      const char *directory)
{
    Dwarf_Signed first = 0, count = 0, end = 0;
    Dwarf_Error error = NULL;
    int result = dwarf_srclines_files_indexes(context, &first, &count, &end, &error);
    if (!succeeded(debug, result, error) || first < 0 || end <= first)
        return 0;
    if (end > FILES_MAX)
        end = FILES_MAX;
    l->files = calloc((size_t)end, sizeof *l->files);
    if (l->files == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    l->file_count = (size_t)end;
    l->memory += l->file_count * sizeof *l->files;
    int rc = 0;
    for (Dwarf_Signed i = first; i < end && rc == 0; ++i)
        rc = read_file(l, debug, context, directory, i);
    return rc;
}

/* --- lines ----------------------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b)
{
    const struct dwarf_line *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* Ends a sequence that consists of the lines from `first` on. */
static int end_sequence(struct dwarf_lines *l, size_t first, uint64_t end, uint64_t lowest)
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

static bool read_line(Dwarf_Debug debug, Dwarf_Line from, struct dwarf_line *out, bool *end)
{
    Dwarf_Addr address = 0;
    Dwarf_Unsigned line = 0, file = 0;
    Dwarf_Bool ends = false;
    Dwarf_Error error = NULL;
    int result = dwarf_lineaddr(from, &address, &error);
    if (result == DW_DLV_OK)
        result = dwarf_lineendsequence(from, &ends, &error);
    if (result == DW_DLV_OK)
        result = dwarf_lineno(from, &line, &error);
    if (result == DW_DLV_OK)
        result = dwarf_line_srcfileno(from, &file, &error);
    *out = (struct dwarf_line){address, file <= UINT32_MAX ? (uint32_t)file : UINT32_MAX,
                               line <= UINT32_MAX ? (uint32_t)line : 0};
    *end = ends;
    return succeeded(debug, result, error);
}

static int read_lines(struct dwarf_lines *l, Dwarf_Debug debug, Dwarf_Line_Context context, uint64_t lowest)
{
    Dwarf_Line *lines = NULL;
    Dwarf_Signed count = 0;
    Dwarf_Error error = NULL;
    if (!succeeded(debug, dwarf_srclines_from_linecontext(context, &lines, &count, &error), error))
        return 0;
    size_t first = 0;
    for (Dwarf_Signed i = 0; i < count && i < (Dwarf_Signed)UINT32_MAX; ++i) {
        struct dwarf_line line;
        bool end;
        if (!read_line(debug, lines[i], &line, &end))
            continue;
        if (end) {
            int rc = end_sequence(l, first, line.address, lowest);
            if (rc != 0)
                return rc;
            first = l->line_count;
            continue;
        }
        if (ARRAY_RESERVE(l->lines, l->line_count, l->line_room) != 0)
            return TRACE_ERR_MEMORY;
        l->lines[l->line_count++] = line;
    }
    l->line_count = first;
    return address_map_finish(&l->map);
}

static int read_table(struct dwarf_lines *l, Dwarf_Debug debug, Dwarf_Die unit, const char *directory,
                      uint64_t lowest)
{
    Dwarf_Unsigned version;
    Dwarf_Small tables = 0;
    Dwarf_Line_Context context = NULL;
    Dwarf_Error error = NULL;
    if (!succeeded(debug, dwarf_srclines_b(unit, &version, &tables, &context, &error), error))
        return 0;
    int rc = read_files(l, debug, context, directory);
    if (rc == 0 && tables == 1)
        rc = read_lines(l, debug, context, lowest);
    dwarf_srclines_dealloc_b(context);
    return rc;
}

int dwarf_lines_read(struct dwarf_lines *out, Dwarf_Debug debug, uint64_t die, const char *directory,
                     uint64_t lowest)
{
    Dwarf_Die unit;
    Dwarf_Error error = NULL;
    *out = (struct dwarf_lines){0};
    arena_init(&out->texts);
    if (!succeeded(debug, dwarf_offdie_b(debug, die, 1, &unit, &error), error))
        return 0;
    int rc = read_table(out, debug, unit, directory, lowest);
    dwarf_dealloc(debug, unit, DW_DLA_DIE);
    out->memory += out->line_room * sizeof *out->lines + out->sequence_room * sizeof *out->sequences +
                   address_map_memory(&out->map);
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
