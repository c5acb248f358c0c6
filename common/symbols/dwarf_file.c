/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_file.h"

#include "base/error.h"
#include "symbols/dwarf_ranges.h"

#include <elf.h>
#include <stdlib.h>

/* --- units ----------------------------------------------------------------------------------------- */

static int map_units(struct dwarf_file *f)
{
    struct dwarf_range_list ranges = {0};
    struct dwarf_die die;
    int rc = 0;
    for (size_t i = 0; i < f->index.count && i < UINT32_MAX && rc == 0; ++i) {
        if (!dwarf_index_first_die(&f->index, i, &die))
            continue;
        rc = dwarf_range_list_read(&ranges, &f->index.data, &f->index.units[i].head, &die);
        for (size_t j = 0; j < ranges.count && rc == 0; ++j)
            rc = address_map_add(&f->map, ranges.items[j].low, ranges.items[j].high, (uint32_t)i);
    }
    free(ranges.items);
    return rc == 0 ? address_map_finish(&f->map) : rc;
}

static int read_units(struct dwarf_file *f, const struct dwarf_data *data)
{
    int rc = dwarf_index_read(&f->index, data);
    if (rc != 0)
        return rc;
    f->loaded = calloc(f->index.count + 1, sizeof *f->loaded);
    return f->loaded != NULL ? map_units(f) : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- opening --------------------------------------------------------------------------------------- */

static uint64_t lowest_code(const struct elf_file *elf)
{
    uint64_t lowest = UINT64_MAX;
    for (size_t i = 1; i < elf->section_count; ++i)
        if ((elf->sections[i].flags & SHF_EXECINSTR) != 0 && elf->sections[i].address < lowest)
            lowest = elf->sections[i].address;
    return lowest != UINT64_MAX ? lowest : 1;
}

/* Without libdwarf there are no lines, but names. */
static void open_libdwarf(struct dwarf_file *f)
{
    Dwarf_Error error = NULL;
    if (dwarf_object_init_b(&f->sections.access, NULL, NULL, DW_GROUPNUMBER_ANY, &f->debug, &error) ==
        DW_DLV_OK)
        return;
    if (error != NULL)
        dwarf_dealloc_error(NULL, error);
    f->debug = NULL;
}

static int open_file(struct dwarf_file *f)
{
    struct dwarf_data data;
    int rc = dwarf_sections_init(&f->sections, f->elf);
    if (rc != 0)
        return rc;
    dwarf_sections_data(&f->sections, &data);
    data.lowest = lowest_code(f->elf);
    if (data.info == NULL || data.abbrev == NULL)
        return 0;
    open_libdwarf(f);
    return read_units(f, &data);
}

int dwarf_file_open(struct dwarf_file **out, struct elf_file *elf)
{
    struct dwarf_file *f = calloc(1, sizeof *f);
    *out = NULL;
    if (f == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    f->elf = elf;
    int rc = open_file(f);
    if (rc != 0 || f->index.count == 0) {
        dwarf_file_close(f);
        return rc;
    }
    *out = f;
    return 0;
}

static void unload(struct dwarf_file *f, struct dwarf_loaded *loaded)
{
    if (loaded->unit == NULL)
        return;
    f->memory -= loaded->memory;
    dwarf_unit_fini(loaded->unit);
    free(loaded->unit);
    loaded->unit = NULL;
}

void dwarf_file_close(struct dwarf_file *f)
{
    Dwarf_Error error = NULL;
    if (f == NULL)
        return;
    for (size_t i = 0; f->loaded != NULL && i < f->index.count; ++i)
        unload(f, &f->loaded[i]);
    free(f->loaded);
    dwarf_index_fini(&f->index);
    address_map_fini(&f->map);
    if (f->debug != NULL)
        dwarf_object_finish(f->debug, &error);
    free(f);
}

/* --- looking up ------------------------------------------------------------------------------------ */

static int read_lines(struct dwarf_file *f, size_t number, struct dwarf_lines *out)
{
    const struct dwarf_head *head = &f->index.units[number].head;
    struct dwarf_die die;
    uint64_t table;
    if (f->debug == NULL || !dwarf_index_first_die(&f->index, number, &die) ||
        !dwarf_value_number(&die.values[DWARF_STMT_LIST], &table))
        return 0;
    const char *directory = dwarf_value_text(&die.values[DWARF_COMP_DIR], &f->index.data, head);
    return dwarf_lines_read(out, f->debug, head->die, directory, f->index.data.lowest);
}

static int load(struct dwarf_file *f, size_t number)
{
    struct dwarf_loaded *loaded = &f->loaded[number];
    struct dwarf_unit *unit = calloc(1, sizeof *unit);
    if (unit == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    int rc = dwarf_unit_read_functions(unit, &f->index, number);
    if (rc == 0)
        rc = read_lines(f, number, &unit->lines);
    if (rc != 0) {
        dwarf_unit_fini(unit);
        free(unit);
        loaded->failed = rc != TRACE_ERR_MEMORY;
        return trace_error_prefix(rc, "%s", f->elf->path);
    }
    loaded->unit = unit;
    loaded->memory = sizeof *unit + dwarf_unit_memory(unit);
    f->memory += loaded->memory;
    return 0;
}

int dwarf_file_find_unit(struct dwarf_file *f, uint64_t address, uint64_t now, struct dwarf_unit **out)
{
    uint32_t number;
    *out = NULL;
    if (!address_map_find(&f->map, address, &number))
        return 0;
    struct dwarf_loaded *loaded = &f->loaded[number];
    int rc = loaded->unit == NULL && !loaded->failed ? load(f, number) : 0;
    loaded->last_use = now;
    *out = loaded->unit;
    return rc;
}

static struct dwarf_loaded *oldest_unit(const struct dwarf_file *f)
{
    struct dwarf_loaded *oldest = NULL;
    for (size_t i = 0; i < f->index.count; ++i)
        if (f->loaded[i].unit != NULL && (oldest == NULL || f->loaded[i].last_use < oldest->last_use))
            oldest = &f->loaded[i];
    return oldest;
}

uint64_t dwarf_file_oldest_use(const struct dwarf_file *f)
{
    const struct dwarf_loaded *oldest = oldest_unit(f);
    return oldest != NULL ? oldest->last_use : UINT64_MAX;
}

void dwarf_file_forget_oldest(struct dwarf_file *f)
{
    struct dwarf_loaded *oldest = oldest_unit(f);
    if (oldest != NULL)
        unload(f, oldest);
}
