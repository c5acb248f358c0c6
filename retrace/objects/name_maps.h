/* SPDX-License-Identifier: MIT
 * Maps the names of objects in the trace to the names that the driver has assigned in the replay. Names that
 * were never created map to themselves; or to stand-ins, if other objects have them here. Scopes follow the
 * OpenGL specification: most names belong to a share group, container objects to a context, locations and
 * indices to a program.
 */
#ifndef RETRACE_NAME_MAPS_H
#define RETRACE_NAME_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "objects/lost_locations.h"

/* A location or an index, and the elements of an array that follow it. */
struct location {
    int64_t traced, real; /* -1: there is none */
    /* Elements from this one on; ENDLESS_ARRAY: it is not known where they end. 1: it is no array. */
    uint32_t traced_size, real_size;
};

#define ENDLESS_ARRAY UINT32_MAX

/* The indices and locations of a program. Zero-initialise it before use. */
struct location_table {
    struct location *entries; /* ascending by `traced` */
    uint32_t count, cap;
};

/* The names of a kind. */
struct name_table {
    struct int_map reals;     /* by traced names */
    struct int_map owners;    /* traced names of those that have a number here */
    struct int_map stand_ins; /* by traced names */
    struct int_map deleted;   /* real names of deleted objects, by traced names: the last ones */
};

/* All names of a share group (or context) and of its programs. */
struct name_scope_tables {
    struct name_table *tables;        /* indexed by kind; owned, spec_object_count entries */
    uint32_t stand_ins;               /* how many numbers were taken for them */
    struct int_map programs;          /* maps kind and traced program to the index in locations, plus 1 */
    struct location_table *locations; /* owned */
    uint32_t location_count, location_cap;
    struct lost_locations lost;
    struct int_map usable; /* traced programs that the driver has taken; see current_program.h */
};

int name_scope_init(struct name_scope_tables *s);
void name_scope_fini(struct name_scope_tables *s);

/* Returns the real name, or `traced` itself if it is unknown. */
uint64_t name_scope_get(const struct name_scope_tables *s, unsigned kind, uint64_t traced);
/* Returns true and sets *real if the object was created in this replay. real may be NULL. */
bool name_scope_find(const struct name_scope_tables *s, unsigned kind, uint64_t traced, uint64_t *real);
int name_scope_set(struct name_scope_tables *s, unsigned kind, uint64_t traced, uint64_t real);
void name_scope_remove(struct name_scope_tables *s, unsigned kind, uint64_t traced);

/* Notes that the object is about to be deleted. It may stay bound, and the driver then still tells its name.
 */
int name_scope_note_deleted(struct name_scope_tables *s, unsigned kind, uint64_t traced);
/* Returns true if this was the real name of the last object that had the traced one and was deleted. */
bool name_scope_was_name(const struct name_scope_tables *s, unsigned kind, uint64_t traced, uint64_t real);

/* Returns true if an object that was created in this replay, or a stand-in, has the number. */
bool name_scope_has_number(const struct name_scope_tables *s, unsigned kind, uint64_t number);
/* Returns a number that no object has. */
uint64_t name_scope_unused_number(const struct name_scope_tables *s, unsigned kind);
/* Returns true and sets *real if a name that was never created has a stand-in. */
bool name_scope_find_stand_in(const struct name_scope_tables *s, unsigned kind, uint64_t traced,
                              uint64_t *real);
/* Gives it one, until the name is set or removed. */
int name_scope_add_stand_in(struct name_scope_tables *s, unsigned kind, uint64_t traced, uint64_t *real);

/* These are like the first ones, for names that belong to a program, which is given by its traced name. */
int64_t name_scope_get_location(const struct name_scope_tables *s, unsigned kind, uint64_t program,
                                int64_t traced);
int name_scope_set_location(struct name_scope_tables *s, unsigned kind, uint64_t program,
                            const struct location *l);
/* Returns what was set for this number, or NULL. It is valid until the next one is set. */
const struct location *name_scope_find_location(const struct name_scope_tables *s, unsigned kind,
                                                uint64_t program, int64_t traced);
/* Removes all locations of a program, of every kind. */
void name_scope_remove_program(struct name_scope_tables *s, uint64_t program);

void location_table_fini(struct location_table *t);
/* Sizes that are known stay known if the location is set again. */
int location_table_set(struct location_table *t, const struct location *l);
/* Returns -1 for an element that the replay does not have, and unknown locations as they are. */
int64_t location_table_get(const struct location_table *t, int64_t traced);

#endif
