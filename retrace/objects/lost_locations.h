/* SPDX-License-Identifier: MIT
 * Uniforms that a program had in the trace, but does not have in the replay when it is asked for them: its
 * binary was not loaded. They are asked for again when the program is linked.
 */
#ifndef RETRACE_LOST_LOCATIONS_H
#define RETRACE_LOST_LOCATIONS_H

#include <stddef.h>
#include <stdint.h>

struct lost_location {
    uint64_t program; /* its name in the trace */
    int64_t traced;   /* location */
    char *name;       /* of the uniform; owned */
};

/* Zero-initialise it before use. */
struct lost_locations {
    struct lost_location *items;
    size_t count, cap;
};

void lost_locations_fini(struct lost_locations *l);

/* Copies name. Does nothing if that location is already there. Errors: TRACE_ERR_MEMORY. */
int lost_locations_add(struct lost_locations *l, uint64_t program, int64_t traced, const char *name);
void lost_locations_remove(struct lost_locations *l, size_t index);
/* Removes those of a program. */
void lost_locations_remove_program(struct lost_locations *l, uint64_t program);

/* The uniform whose name the program has asked for last, by its number. Zero-initialise it. */
struct uniform_name {
    uint64_t program, index; /* in the trace */
    char *name;              /* owned; NULL: none */
};

void uniform_name_fini(struct uniform_name *u);

/* Copies name, which may be NULL. Errors: TRACE_ERR_MEMORY. */
int uniform_name_set(struct uniform_name *u, uint64_t program, uint64_t index, const char *name);

/* Returns the name, or NULL if it is that of another uniform. */
const char *uniform_name_get(const struct uniform_name *u, uint64_t program, uint64_t index);

#endif
