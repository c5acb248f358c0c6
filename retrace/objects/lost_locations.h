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

#endif
