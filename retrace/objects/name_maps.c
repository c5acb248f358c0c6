/* SPDX-License-Identifier: MIT */
#include "objects/name_maps.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "runtime/spec.h"

int name_scope_init(struct name_scope_tables *s)
{
    *s = (struct name_scope_tables){0};
    s->tables = calloc(spec_object_count, sizeof *s->tables);
    return s->tables != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory for object names");
}

void name_scope_fini(struct name_scope_tables *s)
{
    for (unsigned i = 0; s->tables != NULL && i < spec_object_count; ++i)
        int_map_fini(&s->tables[i]);
    free(s->tables);
    int_map_fini(&s->programs);
    for (uint32_t i = 0; i < s->location_count; ++i)
        location_table_fini(&s->locations[i]);
    free(s->locations);
    lost_locations_fini(&s->lost);
    *s = (struct name_scope_tables){0};
}

uint64_t name_scope_get(const struct name_scope_tables *s, unsigned kind, uint64_t traced)
{
    uint64_t real;
    return int_map_get(&s->tables[kind], traced, &real) ? real : traced;
}

int name_scope_set(struct name_scope_tables *s, unsigned kind, uint64_t traced, uint64_t real)
{
    return int_map_set(&s->tables[kind], traced, real);
}

void name_scope_remove(struct name_scope_tables *s, unsigned kind, uint64_t traced)
{
    int_map_remove(&s->tables[kind], traced);
}

static uint64_t program_key(unsigned kind, uint64_t program)
{
    return (uint64_t)kind << 48 ^ program;
}

int64_t name_scope_get_location(const struct name_scope_tables *s, unsigned kind, uint64_t program,
                                int64_t traced, bool consecutive)
{
    uint64_t index;
    if (!int_map_get(&s->programs, program_key(kind, program), &index))
        return traced;
    return location_table_get(&s->locations[index], traced, consecutive);
}

int name_scope_set_location(struct name_scope_tables *s, unsigned kind, uint64_t program, int64_t traced,
                            int64_t real)
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
    return location_table_set(&s->locations[index], traced, real);
}

void name_scope_remove_program(struct name_scope_tables *s, uint64_t program)
{
    lost_locations_remove_program(&s->lost, program);
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

int location_table_set(struct location_table *t, int64_t traced, int64_t real)
{
    uint32_t at = upper_bound(t, traced);
    if (at > 0 && t->entries[at - 1].traced == traced) {
        t->entries[at - 1].real = real;
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
    t->entries[at] = (struct location){traced, real};
    t->count++;
    return 0;
}

int64_t location_table_get(const struct location_table *t, int64_t traced, bool consecutive)
{
    uint32_t at = upper_bound(t, traced);
    if (at == 0 || traced < 0)
        return traced;
    const struct location *nearest = &t->entries[at - 1];
    if (nearest->traced == traced)
        return nearest->real;
    if (!consecutive || nearest->real < 0 || nearest->traced < 0)
        return traced;
    return nearest->real + (traced - nearest->traced);
}
