/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_file.h"

#include "base/error.h"
#include "symbols/dwarf_ranges.h"

#include <elf.h>
#include <stdlib.h>

#define RANGES_MAX (UINT32_C(1) << 24) /* of all units; many units may refer to the same list */

/* --- units ----------------------------------------------------------------------------------------- */

static int map_units(struct dwarf_file *f)
{
    struct dwarf_range_list ranges = {0};
    struct dwarf_die die;
    uint64_t range_count = 0;
    int rc = 0;
    for (size_t i = 0; i < f->index.count && range_count < RANGES_MAX && rc == 0; ++i) {
        if (!dwarf_index_first_die(&f->index, i, &die))
            continue;
        rc = dwarf_range_list_read(&ranges, &f->index.data, &f->index.units[i].head, &die);
        range_count += ranges.count;
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
    f->index.alternate = data->alternate != NULL ? &f->alternate : NULL;
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

static int open_alternate(struct dwarf_file *f, struct elf_file *elf)
{
    struct dwarf_data data;
    struct dwarf_die die;
    int rc = dwarf_sections_init(&f->alternate_sections, elf);
    if (rc != 0)
        return rc;
    dwarf_sections_data(&f->alternate_sections, &data);
    rc = dwarf_index_read(&f->alternate, &data);
    for (size_t i = 0; i < f->alternate.count && rc == 0; ++i)
        dwarf_index_first_die(&f->alternate, i, &die);
    return rc;
}

static int open_file(struct dwarf_file *f, struct elf_file *alternate)
{
    struct dwarf_data data;
    int rc = dwarf_sections_init(&f->sections, f->elf);
    if (rc == 0 && alternate != NULL)
        rc = open_alternate(f, alternate);
    if (rc != 0)
        return rc;
    dwarf_sections_data(&f->sections, &data);
    data.lowest = lowest_code(f->elf);
    data.alternate = alternate != NULL ? &f->alternate.data : NULL;
    if (data.info == NULL || data.abbrev == NULL)
        return 0;
    return read_units(f, &data);
}

int dwarf_file_open(struct dwarf_file **out, struct elf_file *elf, struct elf_file *alternate)
{
    struct dwarf_file *f = calloc(1, sizeof *f);
    *out = NULL;
    if (f == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    f->elf = elf;
    int rc = open_file(f, alternate);
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
    if (f == NULL)
        return;
    for (size_t i = 0; f->loaded != NULL && i < f->index.count; ++i)
        unload(f, &f->loaded[i]);
    free(f->loaded);
    dwarf_index_fini(&f->index);
    dwarf_index_fini(&f->alternate);
    address_map_fini(&f->map);
    free(f);
}

/* --- looking up ------------------------------------------------------------------------------------ */

/* first: the unit's first DIE. */
static int read_lines(struct dwarf_file *f, const struct dwarf_head *head, const struct dwarf_die *first,
                      struct dwarf_lines *out)
{
    uint64_t table;
    if (!dwarf_value_number(&first->values[DWARF_STMT_LIST], &table))
        return 0;
    const char *directory = dwarf_value_text(&first->values[DWARF_COMP_DIR], &f->index.data, head);
    return dwarf_lines_read(out, &f->index.data, head, table, directory);
}

/* Reads the functions, which may be in a .dwo file. Without that file there are lines only. */
static int read_functions(struct dwarf_file *f, size_t number, const struct dwarf_die *first,
                          struct dwarf_unit *unit)
{
    const struct dwarf_head *head = &f->index.units[number].head;
    if (first->values[DWARF_DWO_NAME].form == 0)
        return dwarf_unit_read_functions(unit, &f->index, number);
    int rc = dwarf_split_open(&unit->split, f->elf->path, &f->index.data, head, first);
    return rc == 0 ? dwarf_unit_read_functions(unit, &unit->split->index, unit->split->number) : rc;
}

/* A .dwo file that cannot be used is an error, but the unit keeps its lines. */
static int read_unit(struct dwarf_file *f, size_t number, struct dwarf_unit *unit)
{
    struct dwarf_die first;
    if (!dwarf_index_first_die(&f->index, number, &first))
        return trace_error_set(TRACE_ERR_FORMAT, "a damaged unit of debug information");
    int rc = read_lines(f, &f->index.units[number].head, &first, &unit->lines);
    return rc == 0 ? read_functions(f, number, &first, unit) : rc;
}

/* After an error other than TRACE_ERR_MEMORY, the unit is used with what has been read of it. */
static int load(struct dwarf_file *f, size_t number)
{
    struct dwarf_loaded *loaded = &f->loaded[number];
    struct dwarf_unit *unit = calloc(1, sizeof *unit);
    if (unit == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    f->index.first_reads = 0;
    int rc = read_unit(f, number, unit);
    if (rc == TRACE_ERR_MEMORY) {
        dwarf_unit_fini(unit);
        free(unit);
        return rc;
    }
    loaded->unit = unit;
    loaded->memory = sizeof *unit + dwarf_unit_memory(unit);
    f->memory += loaded->memory;
    bool told = loaded->failed;
    loaded->failed = rc != 0;
    return rc == 0 || told ? 0 : trace_error_prefix(rc, "%s", f->elf->path);
}

int dwarf_file_find_unit(struct dwarf_file *f, uint64_t address, uint64_t now, struct dwarf_unit **out)
{
    uint32_t number;
    *out = NULL;
    if (!address_map_find(&f->map, address, &number))
        return 0;
    struct dwarf_loaded *loaded = &f->loaded[number];
    int rc = loaded->unit == NULL ? load(f, number) : 0;
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
