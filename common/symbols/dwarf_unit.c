/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_unit.h"

#include "base/array.h"
#include "base/error.h"
#include "symbols/dwarf_attributes.h"

#include <stdlib.h>

#define DEPTH_MAX      256 /* highest nesting of DIEs */
#define REFERENCES_MAX 16  /* highest number of references from a function to the DIE that has its name */
#define RANGES_MAX     (UINT32_C(1) << 26) /* limit for a unit, because many DIEs may refer to the same list */

/* --- functions ------------------------------------------------------------------------------------- */

/* A level on the path from the unit to a DIE: a DIE, and the function that it belongs to. */
struct walk_level {
    Dwarf_Die die;
    uint32_t function;
};

struct unit_walk {
    struct dwarf_unit *unit;
    const struct dwarf_sections *sections;
    struct dwarf_range_bases bases;
    struct dwarf_range_list ranges; /* of the current DIE */
    uint64_t range_count;           /* of all DIEs */
    struct walk_level levels[DEPTH_MAX];
    size_t depth;
};

static uint32_t small_number(Dwarf_Debug debug, Dwarf_Die die, Dwarf_Half attribute)
{
    uint64_t number;
    return dwarf_get_number(debug, die, attribute, &number) && number <= UINT32_MAX ? (uint32_t)number : 0;
}

static int map_function(struct unit_walk *w, uint32_t index)
{
    struct dwarf_unit *u = w->unit;
    struct dwarf_function *f = &u->functions[index];
    int rc = 0;
    for (size_t i = 0; i < w->ranges.count && rc == 0; ++i) {
        const struct dwarf_range *range = &w->ranges.items[i];
        if (range->low < f->entry)
            f->entry = range->low;
        rc = address_map_add(&u->map, range->low, range->high, index);
    }
    w->range_count += w->ranges.count;
    if (rc == 0 && w->range_count > RANGES_MAX)
        rc = trace_error_set(TRACE_ERR_FORMAT, "a unit has too many ranges of addresses");
    return rc;
}

/* *index becomes the function's index. It does not change if the DIE has no code. */
static int add_function(struct unit_walk *w, Dwarf_Die die, bool inlined, uint32_t *index)
{
    struct dwarf_unit *u = w->unit;
    Dwarf_Off offset;
    Dwarf_Error error = NULL;
    int rc = dwarf_range_list_read(&w->ranges, &w->bases, w->sections, u->debug, die);
    if (rc != 0 || w->ranges.count == 0 || u->function_count >= UINT32_MAX - 1)
        return rc;
    if (!dwarf_succeeded(u->debug, dwarf_dieoffset(die, &offset, &error), error))
        return 0;
    if (ARRAY_RESERVE(u->functions, u->function_count, u->function_room) != 0)
        return TRACE_ERR_MEMORY;
    u->functions[u->function_count] = (struct dwarf_function){
        .die = offset,
        .entry = UINT64_MAX,
        .parent = inlined ? *index : DWARF_NO_FUNCTION,
        .inlined = inlined,
        .call_file = inlined ? small_number(u->debug, die, DW_AT_call_file) : 0,
        .call_line = inlined ? small_number(u->debug, die, DW_AT_call_line) : 0,
    };
    *index = (uint32_t)u->function_count++;
    return map_function(w, *index);
}

/* Returns true if the children of the DIE may include functions. */
static bool may_hold_functions(Dwarf_Half tag)
{
    switch (tag) {
    case DW_TAG_array_type:
    case DW_TAG_call_site:
    case DW_TAG_GNU_call_site:
    case DW_TAG_enumeration_type:
    case DW_TAG_formal_parameter:
    case DW_TAG_subroutine_type:
    case DW_TAG_variable:
        return false;
    default:
        return true;
    }
}

/* Visits the DIE of the deepest level. *descend: its children must be visited, too. */
static int visit(struct unit_walk *w, bool *descend)
{
    struct walk_level *level = &w->levels[w->depth - 1];
    Dwarf_Half tag = 0;
    Dwarf_Error error = NULL;
    *descend = false;
    if (!dwarf_succeeded(w->unit->debug, dwarf_tag(level->die, &tag, &error), error))
        return 0;
    *descend = may_hold_functions(tag) && w->depth < DEPTH_MAX;
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_entry_point)
        return add_function(w, level->die, tag == DW_TAG_inlined_subroutine, &level->function);
    return 0;
}

static bool go_down(struct unit_walk *w)
{
    const struct walk_level *level = &w->levels[w->depth - 1];
    Dwarf_Die child;
    Dwarf_Error error = NULL;
    if (!dwarf_succeeded(w->unit->debug, dwarf_child(level->die, &child, &error), error))
        return false;
    w->levels[w->depth++] = (struct walk_level){child, level->function};
    return true;
}

/* Moves to the next DIE on this level or on one above. The first level is the unit. */
static bool go_on(struct unit_walk *w)
{
    while (w->depth > 1) {
        struct walk_level *level = &w->levels[w->depth - 1];
        Dwarf_Die next;
        Dwarf_Error error = NULL;
        bool found = dwarf_succeeded(w->unit->debug,
                                     dwarf_siblingof_b(w->unit->debug, level->die, 1, &next, &error), error);
        dwarf_dealloc(w->unit->debug, level->die, DW_DLA_DIE);
        if (found) {
            *level = (struct walk_level){next, w->levels[w->depth - 2].function};
            return true;
        }
        --w->depth;
    }
    return false;
}

static int walk(struct unit_walk *w)
{
    bool descend = true, more = true;
    int rc = 0;
    while (more && rc == 0) {
        if (w->depth > 1)
            rc = visit(w, &descend);
        if (rc == 0)
            more = (descend && go_down(w)) || go_on(w);
    }
    while (w->depth > 1)
        dwarf_dealloc(w->unit->debug, w->levels[--w->depth].die, DW_DLA_DIE);
    return rc;
}

static int read_functions(struct dwarf_unit *u, const struct dwarf_sections *sections, Dwarf_Die die,
                          uint64_t lowest)
{
    struct unit_walk *w = calloc(1, sizeof *w);
    if (w == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    w->unit = u;
    w->sections = sections;
    dwarf_range_bases_read(&w->bases, u->debug, die);
    w->bases.lowest = lowest;
    w->levels[w->depth++] = (struct walk_level){die, DWARF_NO_FUNCTION};
    int rc = walk(w);
    free(w->ranges.items);
    free(w);
    return rc == 0 ? address_map_finish(&u->map) : rc;
}

/* --- opening --------------------------------------------------------------------------------------- */

static int read_unit(struct dwarf_unit *u, const struct dwarf_sections *sections, uint64_t offset,
                     uint64_t lowest)
{
    Dwarf_Die die;
    Dwarf_Error error = NULL;
    if (!dwarf_succeeded(u->debug, dwarf_offdie_b(u->debug, offset, 1, &die, &error), error))
        return trace_error_set(TRACE_ERR_FORMAT, "no unit of debug information at offset %llu",
                               (unsigned long long)offset);
    int rc = read_functions(u, sections, die, lowest);
    if (rc == 0)
        rc =
            dwarf_lines_read(&u->lines, u->debug, die, dwarf_get_text(u->debug, die, DW_AT_comp_dir), lowest);
    dwarf_dealloc(u->debug, die, DW_DLA_DIE);
    u->memory =
        sizeof *u + u->function_room * sizeof *u->functions + address_map_memory(&u->map) + u->lines.memory;
    return rc;
}

int dwarf_unit_open(struct dwarf_unit **out, const struct dwarf_sections *sections, Dwarf_Debug debug,
                    uint64_t die, uint64_t lowest)
{
    struct dwarf_unit *u = calloc(1, sizeof *u);
    if (u == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    u->debug = debug;
    arena_init(&u->lines.texts);
    int rc = read_unit(u, sections, die, lowest);
    if (rc != 0) {
        dwarf_unit_close(u);
        return rc;
    }
    *out = u;
    return 0;
}

void dwarf_unit_close(struct dwarf_unit *u)
{
    if (u == NULL)
        return;
    dwarf_lines_fini(&u->lines);
    address_map_fini(&u->map);
    free(u->functions);
    free(u);
}

/* --- names ----------------------------------------------------------------------------------------- */

/* Takes the names of this DIE. Returns true if it refers to another DIE, *next, which may have more. */
static bool read_names(Dwarf_Debug debug, Dwarf_Die die, struct dwarf_function *f, uint64_t *next)
{
    Dwarf_Half form;
    if (f->linkage_name == NULL)
        f->linkage_name = dwarf_get_text(debug, die, DW_AT_linkage_name);
    if (f->linkage_name == NULL)
        f->linkage_name = dwarf_get_text(debug, die, DW_AT_MIPS_linkage_name);
    if (f->name == NULL)
        f->name = dwarf_get_text(debug, die, DW_AT_name);
    if (f->name != NULL && f->linkage_name != NULL)
        return false;
    if (!dwarf_get_offset(debug, die, DW_AT_abstract_origin, next, &form) &&
        !dwarf_get_offset(debug, die, DW_AT_specification, next, &form))
        return false;
    return form != DW_FORM_GNU_ref_alt && form != DW_FORM_ref_sup4 && form != DW_FORM_ref_sup8;
}

static struct dwarf_function *with_names(struct dwarf_unit *u, struct dwarf_function *f)
{
    uint64_t offset = f->die;
    bool more = !f->named;
    f->named = true;
    for (int i = 0; i < REFERENCES_MAX && more; ++i) {
        Dwarf_Die die;
        Dwarf_Error error = NULL;
        if (!dwarf_succeeded(u->debug, dwarf_offdie_b(u->debug, offset, 1, &die, &error), error))
            break;
        more = read_names(u->debug, die, f, &offset);
        dwarf_dealloc(u->debug, die, DW_DLA_DIE);
    }
    return f;
}

const struct dwarf_function *dwarf_unit_find_function(struct dwarf_unit *u, uint64_t address)
{
    uint32_t index;
    if (!address_map_find(&u->map, address, &index))
        return NULL;
    return with_names(u, &u->functions[index]);
}

const struct dwarf_function *dwarf_unit_parent(struct dwarf_unit *u, const struct dwarf_function *f)
{
    return f->parent < u->function_count ? with_names(u, &u->functions[f->parent]) : NULL;
}
