/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf_index.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

#define REFERENCES_MAX    16                 /* from the DIE of a function to the DIE that has its name */
#define ABBREVIATIONS_MAX ((size_t)64 << 20) /* bytes, of all units */

#define FIRST_READS_MAX (UINT64_C(1) << 26) /* many units may have the same large table */

/* --- units ----------------------------------------------------------------------------------------- */

int dwarf_index_read(struct dwarf_index *out, const struct dwarf_data *data)
{
    uint64_t at = 0;
    struct dwarf_head head;
    *out = (struct dwarf_index){.data = *data};
    while (dwarf_head_read(&head, data, at, &at)) {
        if (head.die >= head.end)
            continue;
        if (ARRAY_RESERVE(out->units, out->count, out->room) != 0)
            return TRACE_ERR_MEMORY;
        out->units[out->count++] = (struct dwarf_entry){.head = head};
    }
    return 0;
}

static void forget_abbreviations(struct dwarf_index *index)
{
    for (size_t i = 0; i < index->count; ++i) {
        dwarf_abbreviations_fini(&index->units[i].abbreviations);
        index->units[i].has_abbreviations = false;
    }
    index->memory = 0;
}

void dwarf_index_fini(struct dwarf_index *index)
{
    forget_abbreviations(index);
    free(index->units);
    *index = (struct dwarf_index){0};
}

static struct section_bytes abbreviations_of(const struct dwarf_index *index, const struct dwarf_head *head)
{
    return section_bytes_at(index->data.abbrev, index->data.little_endian, head->abbrev);
}

/* The abbreviation of the first DIE is usually the first one. */
bool dwarf_index_first_die(struct dwarf_index *index, size_t unit, struct dwarf_die *out)
{
    struct dwarf_head *head = &index->units[unit].head;
    struct section_bytes r = section_bytes_at(index->data.info, index->data.little_endian, head->die);
    struct dwarf_abbreviations abbreviations;
    uint64_t code = section_bytes_unsigned(&r);
    if (code == 0 || index->first_reads > FIRST_READS_MAX ||
        dwarf_abbreviations_read(&abbreviations, abbreviations_of(index, head), &head->sizes, code) != 0)
        return false;
    index->first_reads += abbreviations.count;
    bool found = dwarf_die_read(out, &index->data, head, &abbreviations, head->die) && out->tag != 0;
    dwarf_abbreviations_fini(&abbreviations);
    if (found)
        dwarf_head_complete(head, &index->data, out);
    return found;
}

int dwarf_index_abbreviations(struct dwarf_index *index, size_t unit, const struct dwarf_abbreviations **out)
{
    struct dwarf_entry *entry = &index->units[unit];
    if (!entry->has_abbreviations) {
        if (index->memory > ABBREVIATIONS_MAX)
            forget_abbreviations(index);
        int rc = dwarf_abbreviations_read(&entry->abbreviations, abbreviations_of(index, &entry->head),
                                          &entry->head.sizes, 0);
        if (rc != 0)
            return rc;
        entry->has_abbreviations = true;
        index->memory += dwarf_abbreviations_memory(&entry->abbreviations);
    }
    *out = &entry->abbreviations;
    return 0;
}

/* --- names ----------------------------------------------------------------------------------------- */

static bool find_unit(const struct dwarf_index *index, uint64_t die, size_t *out)
{
    size_t from = 0, to = index->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (index->units[middle].head.offset <= die)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == 0 || die >= index->units[from - 1].head.end)
        return false;
    *out = from - 1;
    return true;
}

/* Reads the names of the DIE at *die. Returns true if it refers to another DIE that may have more of them;
 * *die and *index receive its place. */
static bool read_names(struct dwarf_index **index, uint64_t *die, struct dwarf_names *names)
{
    struct dwarf_index *x = *index;
    const struct dwarf_abbreviations *abbreviations;
    struct dwarf_die read;
    size_t unit;
    bool alternate;
    if (!find_unit(x, *die, &unit) || dwarf_index_abbreviations(x, unit, &abbreviations) != 0)
        return false;
    const struct dwarf_head *head = &x->units[unit].head;
    if (!dwarf_die_read(&read, &x->data, head, abbreviations, *die))
        return false;
    if (names->linkage_name == NULL)
        names->linkage_name = dwarf_value_text(&read.values[DWARF_LINKAGE_NAME], &x->data, head);
    if (names->name == NULL)
        names->name = dwarf_value_text(&read.values[DWARF_NAME], &x->data, head);
    if (names->name != NULL && names->linkage_name != NULL)
        return false;
    if (!dwarf_value_reference(&read.values[DWARF_ORIGIN], head, die, &alternate))
        return false;
    if (alternate)
        *index = x->alternate;
    return *index != NULL;
}

void dwarf_index_find_names(struct dwarf_index *index, uint64_t die, struct dwarf_names *out)
{
    bool more = true;
    *out = (struct dwarf_names){NULL, NULL};
    for (int i = 0; i < REFERENCES_MAX && more; ++i)
        more = read_names(&index, &die, out);
}
