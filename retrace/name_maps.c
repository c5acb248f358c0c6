/* SPDX-License-Identifier: MIT */
#include "name_maps.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "runtime/spec.h"

/* Kinds by name, since a kind exists only when a rule or the registry mentions it. same_as: shares its table.
 */
static const struct {
    const char *name;
    const char *same_as;
    enum name_scope scope;
    bool zero_is_name, consecutive;
} known_kinds[] = {
    {"buffer", NULL, NAME_SCOPE_SHARED, false, false},
    {"texture", NULL, NAME_SCOPE_SHARED, false, false},
    {"renderbuffer", NULL, NAME_SCOPE_SHARED, false, false},
    {"sampler", NULL, NAME_SCOPE_SHARED, false, false},
    {"program", NULL, NAME_SCOPE_SHARED, false, false},
    {"shader", "program", NAME_SCOPE_SHARED, false, false}, /* one name space (OpenGL 4.6, 7.1) */
    {"handle", "program", NAME_SCOPE_SHARED, false, false}, /* GLhandleARB: either of them */
    {"programARB", NULL, NAME_SCOPE_SHARED, false, false},  /* assembly programs */
    {"display_list", NULL, NAME_SCOPE_SHARED, false, false},
    {"list", "display_list", NAME_SCOPE_SHARED, false, false},
    {"sync", NULL, NAME_SCOPE_SHARED, false, false},
    {"fragment_shader", NULL, NAME_SCOPE_SHARED, false, false}, /* ATI_fragment_shader */
    {"vertex_shader", NULL, NAME_SCOPE_SHARED, false, false},   /* EXT_vertex_shader */
    {"memory_object", NULL, NAME_SCOPE_SHARED, false, false},
    {"semaphore", NULL, NAME_SCOPE_SHARED, false, false},
    {"fence", NULL, NAME_SCOPE_SHARED, false, false},
    {"texture_handle", NULL, NAME_SCOPE_SHARED, false, false},
    {"image_handle", NULL, NAME_SCOPE_SHARED, false, false},
    {"framebuffer", NULL, NAME_SCOPE_CONTEXT, false, false},
    {"vertex_array", NULL, NAME_SCOPE_CONTEXT, false, false},
    {"query", NULL, NAME_SCOPE_CONTEXT, false, false},
    {"transform_feedback", NULL, NAME_SCOPE_CONTEXT, false, false},
    {"program_pipeline", NULL, NAME_SCOPE_CONTEXT, false, false},
    {"location", NULL, NAME_SCOPE_PROGRAM, true, true},
    {"uniform_block", NULL, NAME_SCOPE_PROGRAM, true, false},
    {"storage_block", NULL, NAME_SCOPE_PROGRAM, true, false},
    {"subroutine", NULL, NAME_SCOPE_PROGRAM, true, false},
    {"subroutine_uniform", NULL, NAME_SCOPE_PROGRAM, true, false},
};

static unsigned find_kind(const char *name)
{
    for (unsigned i = 0; i < spec_object_count; ++i)
        if (strcmp(spec_object_names[i], name) == 0)
            return i;
    return 0;
}

void name_kinds_init(struct name_kind *kinds)
{
    for (unsigned i = 0; i < spec_object_count; ++i) {
        kinds[i] = (struct name_kind){.kind = (uint16_t)i};
        for (size_t k = 0; k < sizeof known_kinds / sizeof *known_kinds; ++k) {
            if (strcmp(known_kinds[k].name, spec_object_names[i]) != 0)
                continue;
            unsigned same = known_kinds[k].same_as != NULL ? find_kind(known_kinds[k].same_as) : 0;
            kinds[i].has_locations =
                strcmp(known_kinds[k].name, "program") == 0 || (same != 0 && same == find_kind("program"));
            kinds[i].scope = known_kinds[k].scope;
            kinds[i].kind = (uint16_t)(same != 0 ? same : i);
            kinds[i].zero_is_name = known_kinds[k].zero_is_name;
            kinds[i].consecutive = known_kinds[k].consecutive;
        }
    }
}

int name_scope_init(struct name_scope_tables *s)
{
    *s = (struct name_scope_tables){0};
    s->tables = calloc(spec_object_count, sizeof *s->tables);
    return s->tables != NULL ? 0 : error_set(ERR_MEMORY, "out of memory for object names");
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
                return error_set(ERR_MEMORY, "out of memory for uniform locations");
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
    for (unsigned kind = 0; kind < spec_object_count; ++kind) {
        uint64_t index;
        if (int_map_get(&s->programs, program_key(kind, program), &index))
            s->locations[index].count = 0; /* the slot is used again when the program's name is */
    }
}

void location_table_fini(struct location_table *t)
{
    free(t->entries);
    *t = (struct location_table){0};
}

/* Index of the first entry whose traced number is above traced. */
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
            return error_set(ERR_MEMORY, "out of memory for uniform locations");
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
