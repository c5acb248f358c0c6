/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_unit.h"

#include "base/array.h"
#include "base/error.h"
#include "symbols/dwarf_ranges.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

#define DEPTH_MAX  1024 /* of nested DIEs; deeper functions are treated as being on this level */
#define RANGES_MAX (UINT32_C(1) << 22) /* of a unit; many DIEs may refer to the same list */

void dwarf_unit_fini(struct dwarf_unit *u)
{
    dwarf_lines_fini(&u->lines);
    address_map_fini(&u->map);
    free(u->functions);
    dwarf_split_close(u->split);
    *u = (struct dwarf_unit){0};
}

size_t dwarf_unit_memory(const struct dwarf_unit *u)
{
    return u->function_room * sizeof *u->functions + address_map_memory(&u->map) + u->lines.memory;
}

/* --- functions ------------------------------------------------------------------------------------- */

struct unit_scan {
    struct dwarf_unit *unit;
    const struct dwarf_data *data;
    const struct dwarf_head *head;
    const struct dwarf_abbreviations *abbreviations;
    struct dwarf_range_list ranges; /* of the current DIE */
    uint64_t range_count;           /* of all DIEs */
    size_t depth;
    uint32_t functions[DEPTH_MAX]; /* index of the function that encloses the DIEs of a level */
};

static uint32_t *function_at(struct unit_scan *s, size_t depth)
{
    return &s->functions[depth < DEPTH_MAX ? depth : DEPTH_MAX - 1];
}

static uint32_t small_number(const struct dwarf_value *value)
{
    uint64_t number;
    return dwarf_value_number(value, &number) && number <= UINT32_MAX ? (uint32_t)number : 0;
}

static int map_function(struct unit_scan *s, uint32_t index)
{
    struct dwarf_unit *u = s->unit;
    struct dwarf_function *f = &u->functions[index];
    int rc = 0;
    for (size_t i = 0; i < s->ranges.count && rc == 0; ++i) {
        const struct dwarf_range *range = &s->ranges.items[i];
        if (range->low < f->entry)
            f->entry = range->low;
        rc = address_map_add(&u->map, range->low, range->high, index);
    }
    s->range_count += s->ranges.count;
    if (rc == 0 && s->range_count > RANGES_MAX)
        rc = trace_error_set(TRACE_ERR_FORMAT, "a unit has too many ranges of addresses");
    return rc;
}

/* *index becomes the function's index. It does not change if the DIE has no code. */
static int add_function(struct unit_scan *s, const struct dwarf_die *die, uint32_t *index)
{
    struct dwarf_unit *u = s->unit;
    bool inlined = die->tag == DW_TAG_inlined_subroutine;
    int rc = dwarf_range_list_read(&s->ranges, s->data, s->head, die);
    if (rc != 0 || s->ranges.count == 0 || u->function_count >= UINT32_MAX - 1)
        return rc;
    if (ARRAY_RESERVE(u->functions, u->function_count, u->function_room) != 0)
        return TRACE_ERR_MEMORY;
    u->functions[u->function_count] = (struct dwarf_function){
        .die = die->offset,
        .entry = UINT64_MAX,
        .parent = inlined ? *index : DWARF_NO_FUNCTION,
        .call_file = inlined ? small_number(&die->values[DWARF_CALL_FILE]) : 0,
        .call_line = inlined ? small_number(&die->values[DWARF_CALL_LINE]) : 0,
        .inlined = inlined,
    };
    *index = (uint32_t)u->function_count++;
    return map_function(s, *index);
}

static bool is_function(uint16_t tag)
{
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_entry_point;
}

/* Reads the DIE at *at and moves *at to the next one. *more receives false at the end of the unit. */
static int scan_die(struct unit_scan *s, uint64_t *at, bool *more)
{
    struct dwarf_die die;
    int rc = 0;
    *more = dwarf_die_skip(&die, s->data, s->head, s->abbreviations, *at);
    if (!*more)
        return 0;
    if (die.tag == 0) { /* the end of a list of siblings */
        *more = --s->depth > 0;
    } else {
        uint32_t function = *function_at(s, s->depth);
        if (is_function(die.tag) && dwarf_die_read(&die, s->data, s->head, s->abbreviations, *at))
            rc = add_function(s, &die, &function);
        if (die.has_children)
            *function_at(s, ++s->depth) = function;
    }
    *at = die.next;
    *more = *more && s->depth > 0 && *at < s->head->end;
    return rc;
}

static int scan(struct unit_scan *s)
{
    struct dwarf_die first;
    int rc = 0;
    bool more =
        dwarf_die_skip(&first, s->data, s->head, s->abbreviations, s->head->die) && first.has_children;
    uint64_t at = first.next;
    s->depth = 1;
    *function_at(s, 1) = DWARF_NO_FUNCTION;
    while (more && rc == 0)
        rc = scan_die(s, &at, &more);
    return rc;
}

int dwarf_unit_read_functions(struct dwarf_unit *u, struct dwarf_index *index, size_t number)
{
    struct unit_scan *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    u->index = index;
    s->unit = u;
    s->data = &index->data;
    s->head = &index->units[number].head;
    int rc = dwarf_index_abbreviations(index, number, &s->abbreviations);
    if (rc == 0)
        rc = scan(s);
    free(s->ranges.items);
    free(s);
    return rc == 0 ? address_map_finish(&u->map) : rc;
}

/* --- looking up ------------------------------------------------------------------------------------ */

static const struct dwarf_function *with_names(struct dwarf_unit *u, struct dwarf_function *f)
{
    if (!f->named)
        dwarf_index_find_names(u->index, f->die, &f->names);
    f->named = true;
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
