/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_file.h"

#include "base/array.h"
#include "base/error.h"
#include "symbols/dwarf_attributes.h"
#include "symbols/dwarf_ranges.h"
#include "symbols/dwarf_unit.h"

#include <elf.h>
#include <stdlib.h>

/* --- units ----------------------------------------------------------------------------------------- */

static int add_unit(struct dwarf_file *f, Dwarf_Die die, struct dwarf_range_list *ranges)
{
    Dwarf_Off offset;
    Dwarf_Error error = NULL;
    struct dwarf_range_bases bases;
    if (!dwarf_succeeded(f->debug, dwarf_dieoffset(die, &offset, &error), error))
        return 0;
    dwarf_range_bases_read(&bases, f->debug, die);
    bases.lowest = f->lowest;
    int rc = dwarf_range_list_read(ranges, &bases, &f->sections, f->debug, die);
    if (rc != 0 || ranges->count == 0)
        return rc;
    if (ARRAY_RESERVE(f->units, f->unit_count, f->unit_room) != 0)
        return TRACE_ERR_MEMORY;
    f->units[f->unit_count] = (struct dwarf_unit_place){.die = offset};
    for (size_t i = 0; i < ranges->count && rc == 0; ++i)
        rc = address_map_add(&f->map, ranges->items[i].low, ranges->items[i].high, (uint32_t)f->unit_count);
    ++f->unit_count;
    return rc;
}

/* Moves to the next unit. Returns false if there is none, or if the rest cannot be read. */
static bool next_unit(struct dwarf_file *f, Dwarf_Die *out)
{
    Dwarf_Unsigned length, type_offset, next;
    Dwarf_Half version, address_size, length_size, extension_size, type;
    Dwarf_Off abbreviations;
    Dwarf_Sig8 signature;
    Dwarf_Error error = NULL;
    int result =
        dwarf_next_cu_header_d(f->debug, 1, &length, &version, &abbreviations, &address_size, &length_size,
                               &extension_size, &signature, &type_offset, &next, &type, &error);
    if (!dwarf_succeeded(f->debug, result, error))
        return false;
    error = NULL;
    *out = NULL;
    if (!dwarf_succeeded(f->debug, dwarf_siblingof_b(f->debug, NULL, 1, out, &error), error))
        *out = NULL;
    return true;
}

static int read_units(struct dwarf_file *f)
{
    struct dwarf_range_list ranges = {0};
    Dwarf_Die die;
    int rc = 0;
    while (rc == 0 && next_unit(f, &die)) {
        if (die == NULL)
            continue;
        rc = add_unit(f, die, &ranges);
        dwarf_dealloc(f->debug, die, DW_DLA_DIE);
    }
    free(ranges.items);
    return rc == 0 ? address_map_finish(&f->map) : rc;
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

int dwarf_file_error(const struct dwarf_file *f, const char *what, Dwarf_Error error)
{
    int rc = trace_error_set(TRACE_ERR_FORMAT, "%s: %s: %s", f->elf->path, what,
                             error != NULL ? dwarf_errmsg(error) : "unknown error");
    if (error != NULL)
        dwarf_dealloc(f->debug, error, DW_DLA_ERROR);
    return rc;
}

static int open_debug(struct dwarf_file *f)
{
    Dwarf_Error error = NULL;
    int rc = dwarf_sections_init(&f->sections, f->elf);
    if (rc != 0 || dwarf_sections_find(&f->sections, ".debug_info") == NULL ||
        dwarf_sections_find(&f->sections, ".debug_abbrev") == NULL)
        return rc;
    int result = dwarf_object_init_b(&f->sections.access, NULL, NULL, DW_GROUPNUMBER_ANY, &f->debug, &error);
    if (result == DW_DLV_ERROR)
        return dwarf_file_error(f, "debug information", error);
    if (result == DW_DLV_NO_ENTRY)
        f->debug = NULL;
    return 0;
}

int dwarf_file_open(struct dwarf_file **out, struct elf_file *elf)
{
    struct dwarf_file *f = calloc(1, sizeof *f);
    *out = NULL;
    if (f == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    f->elf = elf;
    f->lowest = lowest_code(elf);
    int rc = open_debug(f);
    if (rc == 0 && f->debug != NULL)
        rc = read_units(f);
    if (rc != 0 || f->debug == NULL) {
        dwarf_file_close(f);
        return rc;
    }
    *out = f;
    return 0;
}

void dwarf_file_close(struct dwarf_file *f)
{
    Dwarf_Error error = NULL;
    if (f == NULL)
        return;
    for (size_t i = 0; i < f->unit_count; ++i)
        dwarf_unit_close(f->units[i].unit);
    free(f->units);
    address_map_fini(&f->map);
    if (f->debug != NULL)
        dwarf_object_finish(f->debug, &error);
    free(f);
}

/* --- looking up ------------------------------------------------------------------------------------ */

int dwarf_file_find_unit(struct dwarf_file *f, uint64_t address, uint64_t now, struct dwarf_unit **out)
{
    uint32_t index;
    *out = NULL;
    if (!address_map_find(&f->map, address, &index))
        return 0;
    struct dwarf_unit_place *place = &f->units[index];
    if (place->unit == NULL && !place->failed) {
        int rc = dwarf_unit_open(&place->unit, &f->sections, f->debug, place->die, f->lowest);
        if (rc != 0) {
            place->failed = true;
            return trace_error_prefix(rc, "%s", f->elf->path);
        }
        f->memory += place->unit->memory;
    }
    place->last_use = now;
    *out = place->unit;
    return 0;
}

static struct dwarf_unit_place *oldest_unit(const struct dwarf_file *f)
{
    struct dwarf_unit_place *oldest = NULL;
    for (size_t i = 0; i < f->unit_count; ++i)
        if (f->units[i].unit != NULL && (oldest == NULL || f->units[i].last_use < oldest->last_use))
            oldest = &f->units[i];
    return oldest;
}

uint64_t dwarf_file_oldest_use(const struct dwarf_file *f)
{
    const struct dwarf_unit_place *oldest = oldest_unit(f);
    return oldest != NULL ? oldest->last_use : UINT64_MAX;
}

void dwarf_file_forget_oldest(struct dwarf_file *f)
{
    struct dwarf_unit_place *oldest = oldest_unit(f);
    if (oldest == NULL)
        return;
    f->memory -= oldest->unit->memory;
    dwarf_unit_close(oldest->unit);
    oldest->unit = NULL;
}
