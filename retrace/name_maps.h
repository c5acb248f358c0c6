/* SPDX-License-Identifier: MIT
 * From the names of objects in the trace to the names that the replay's driver gave.
 * Names that were never seen created map to themselves. Scopes follow the OpenGL specification: most names
 * belong to a share group, container objects to one context, locations and indices to one program.
 */
#ifndef RETRACE_NAME_MAPS_H
#define RETRACE_NAME_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_map.h"

/* The indices and locations of one program. Zero-initialise. */
struct location_table {
    struct location {
        int64_t traced, real;
    } * entries; /* ascending by traced */
    uint32_t count, cap;
};

/* All names in scope of a share group (or context) and its programs. */
struct name_scope_tables {
    struct int_map *tables;           /* by kind; owned, spec_object_count */
    struct int_map programs;          /* by kind and traced program: index into locations, plus 1 */
    struct location_table *locations; /* owned */
    uint32_t location_count, location_cap;
};

int name_scope_init(struct name_scope_tables *s);
void name_scope_fini(struct name_scope_tables *s);

/* The real name of traced, itself when unknown. */
uint64_t name_scope_get(const struct name_scope_tables *s, unsigned kind, uint64_t traced);
int name_scope_set(struct name_scope_tables *s, unsigned kind, uint64_t traced, uint64_t real);
void name_scope_remove(struct name_scope_tables *s, unsigned kind, uint64_t traced);

/* The same for names that belong to a program (its traced name). */
int64_t name_scope_get_location(const struct name_scope_tables *s, unsigned kind, uint64_t program,
                                int64_t traced, bool consecutive);
int name_scope_set_location(struct name_scope_tables *s, unsigned kind, uint64_t program, int64_t traced,
                            int64_t real);
/* Forgets all locations of a program, of every kind. */
void name_scope_remove_program(struct name_scope_tables *s, uint64_t program);

void location_table_fini(struct location_table *t);
int location_table_set(struct location_table *t, int64_t traced, int64_t real);
int64_t location_table_get(const struct location_table *t, int64_t traced, bool consecutive);

#endif
