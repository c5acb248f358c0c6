/* SPDX-License-Identifier: MIT */
#include "objects/name_maps.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "runtime/spec.h"

/* Drivers give low numbers, or the one above the highest. So stand-ins are taken downwards from here: below
 * the highest, and high enough for programs that choose numbers themselves. */
enum { LAST_STAND_IN = (1 << 20) - 1 };

int name_scope_init(struct name_scope_tables *s)
{
    *s = (struct name_scope_tables){0};
    s->tables = calloc(spec_object_count, sizeof *s->tables);
    return s->tables != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory for object names");
}

void name_scope_fini(struct name_scope_tables *s)
{
    for (unsigned i = 0; s->tables != NULL && i < spec_object_count; ++i) {
        int_map_fini(&s->tables[i].reals);
        int_map_fini(&s->tables[i].owners);
        int_map_fini(&s->tables[i].stand_ins);
        int_map_fini(&s->tables[i].deleted);
    }
    free(s->tables);
    int_map_fini(&s->programs);
    for (uint32_t i = 0; i < s->location_count; ++i)
        location_table_fini(&s->locations[i]);
    free(s->locations);
    lost_locations_fini(&s->lost);
    int_map_fini(&s->usable);
    *s = (struct name_scope_tables){0};
}

uint64_t name_scope_get(const struct name_scope_tables *s, unsigned kind, uint64_t traced)
{
    uint64_t real;
    return name_scope_find(s, kind, traced, &real) ? real : traced;
}

bool name_scope_find(const struct name_scope_tables *s, unsigned kind, uint64_t traced, uint64_t *real)
{
    return int_map_get(&s->tables[kind].reals, traced, real);
}

/* Forgets a name, and that it has a number, unless another one has that now. */
static void forget(struct name_table *t, struct int_map *names, uint64_t traced)
{
    uint64_t real, owner;
    if (!int_map_get(names, traced, &real))
        return;
    if (int_map_get(&t->owners, real, &owner) && owner == traced)
        int_map_remove(&t->owners, real);
    int_map_remove(names, traced);
}

void name_scope_remove(struct name_scope_tables *s, unsigned kind, uint64_t traced)
{
    struct name_table *t = &s->tables[kind];
    forget(t, &t->reals, traced);
    forget(t, &t->stand_ins, traced);
}

int name_scope_note_deleted(struct name_scope_tables *s, unsigned kind, uint64_t traced)
{
    uint64_t real;
    return name_scope_find(s, kind, traced, &real) ? int_map_set(&s->tables[kind].deleted, traced, real) : 0;
}

bool name_scope_was_name(const struct name_scope_tables *s, unsigned kind, uint64_t traced, uint64_t real)
{
    uint64_t last;
    return int_map_get(&s->tables[kind].deleted, traced, &last) && last == real;
}

static int add(struct name_table *t, struct int_map *names, uint64_t traced, uint64_t real)
{
    int rc = int_map_set(names, traced, real);
    return rc != 0 ? rc : int_map_set(&t->owners, real, traced);
}

int name_scope_set(struct name_scope_tables *s, unsigned kind, uint64_t traced, uint64_t real)
{
    name_scope_remove(s, kind, traced);
    return add(&s->tables[kind], &s->tables[kind].reals, traced, real);
}

bool name_scope_has_number(const struct name_scope_tables *s, unsigned kind, uint64_t number)
{
    return int_map_get(&s->tables[kind].owners, number, NULL);
}

uint64_t name_scope_unused_number(const struct name_scope_tables *s, unsigned kind)
{
    uint32_t number = LAST_STAND_IN - s->stand_ins % LAST_STAND_IN;
    while (number == 0 || name_scope_has_number(s, kind, number))
        number--; /* the largest one follows 0 */
    return number;
}

bool name_scope_find_stand_in(const struct name_scope_tables *s, unsigned kind, uint64_t traced,
                              uint64_t *real)
{
    return int_map_get(&s->tables[kind].stand_ins, traced, real);
}

int name_scope_add_stand_in(struct name_scope_tables *s, unsigned kind, uint64_t traced, uint64_t *real)
{
    *real = name_scope_unused_number(s, kind);
    s->stand_ins++;
    return add(&s->tables[kind], &s->tables[kind].stand_ins, traced, *real);
}

static uint64_t program_key(unsigned kind, uint64_t program)
{
    return (uint64_t)kind << 48 ^ program;
}

static const struct location_table *find_table(const struct name_scope_tables *s, unsigned kind,
                                               uint64_t program)
{
    uint64_t index;
    return int_map_get(&s->programs, program_key(kind, program), &index) ? &s->locations[index] : NULL;
}

int64_t name_scope_get_location(const struct name_scope_tables *s, unsigned kind, uint64_t program,
                                int64_t traced)
{
    const struct location_table *t = find_table(s, kind, program);
    return t != NULL ? location_table_get(t, traced) : traced;
}

int name_scope_set_location(struct name_scope_tables *s, unsigned kind, uint64_t program,
                            const struct location *l)
{
    uint64_t index;
    if (!int_map_get(&s->programs, program_key(kind, program), &index)) {
        if (s->location_count == s->location_cap) {
            uint32_t cap = s->location_cap > 0 ? 2 * s->location_cap : 16;
            struct location_table *grown = realloc(s->locations, cap * sizeof *grown);
            if (grown == NULL)
                return trace_error_set(TRACE_ERR_MEMORY, "out of memory for uniform locations");
            s->locations = grown;
            s->location_cap = cap;
        }
        index = s->location_count;
        int rc = int_map_set(&s->programs, program_key(kind, program), index);
        if (rc != 0)
            return rc;
        s->locations[s->location_count++] = (struct location_table){0};
    }
    return location_table_set(&s->locations[index], l);
}

void name_scope_remove_program(struct name_scope_tables *s, uint64_t program)
{
    lost_locations_remove_program(&s->lost, program);
    int_map_remove(&s->usable, program);
    for (unsigned kind = 0; kind < spec_object_count; ++kind) {
        uint64_t index;
        if (int_map_get(&s->programs, program_key(kind, program), &index))
            s->locations[index].count = 0; /* the slot is reused when the program's name is */
    }
}

void location_table_fini(struct location_table *t)
{
    free(t->entries);
    *t = (struct location_table){0};
}

/* Returns the index of the first entry whose traced number is above `traced`. */
static uint32_t upper_bound(const struct location_table *t, int64_t traced)
{
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->entries[middle].traced <= traced)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the last entry that is not above `traced`, or NULL. */
static const struct location *nearest_entry(const struct location_table *t, int64_t traced)
{
    uint32_t at = upper_bound(t, traced);
    return at > 0 ? &t->entries[at - 1] : NULL;
}

const struct location *name_scope_find_location(const struct name_scope_tables *s, unsigned kind,
                                                uint64_t program, int64_t traced)
{
    const struct location_table *t = find_table(s, kind, program);
    const struct location *l = t != NULL ? nearest_entry(t, traced) : NULL;
    return l != NULL && l->traced == traced ? l : NULL;
}

static void replace_entry(struct location *old, const struct location *l)
{
    if (old->real != l->real || l->traced_size != ENDLESS_ARRAY)
        *old = *l;
}

int location_table_set(struct location_table *t, const struct location *l)
{
    uint32_t at = upper_bound(t, l->traced);
    if (at > 0 && t->entries[at - 1].traced == l->traced) {
        replace_entry(&t->entries[at - 1], l);
        return 0;
    }
    if (t->count == t->cap) {
        uint32_t cap = t->cap > 0 ? 2 * t->cap : 16;
        struct location *grown = realloc(t->entries, cap * sizeof *grown);
        if (grown == NULL)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory for uniform locations");
        t->entries = grown;
        t->cap = cap;
    }
    memmove(&t->entries[at + 1], &t->entries[at], (t->count - at) * sizeof *t->entries);
    t->entries[at] = *l;
    t->count++;
    return 0;
}

int64_t location_table_get(const struct location_table *t, int64_t traced)
{
    const struct location *l = nearest_entry(t, traced);
    if (l == NULL || l->traced < 0)
        return traced;
    uint64_t offset = (uint64_t)traced - (uint64_t)l->traced;
    if (offset >= l->traced_size && l->traced_size != ENDLESS_ARRAY)
        return traced;
    return offset == 0 || (l->real >= 0 && offset < l->real_size) ? l->real + (int64_t)offset : -1;
}
