/* SPDX-License-Identifier: MIT
 * What is known of the arrays of each vertex array object: apart, because programs have thousands of objects,
 * and draw from one at a time. Slots are numbers as client_array_slot() returns them (missing_arrays.h).
 */
#ifndef RETRACE_ARRAY_OBJECTS_H
#define RETRACE_ARRAY_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_map.h"

struct replay_context;

/* Zero-initialise it before use. */
struct array_object {
    struct int_map missing; /* slots of arrays that a draw must not read, and why; see missing_arrays.c */
    struct int_map offsets; /* maps slots to the offsets into buffers that are their pointers */
    struct int_map limits;  /* maps slots of client memory to numbers of vertices; see array_limits.h */
    struct int_map sizes;   /* bytes of the arrays that have or had such a limit */
};

/* Returns what is known of the bound object's arrays: nothing at first. It is valid until another one is
 * bound. */
const struct array_object *array_object_get(const struct replay_context *context);
/* Does the same to change it. Returns NULL without memory. */
struct array_object *array_object_edit(struct replay_context *context);

/* Notes that the object with this traced name is bound. 0: the context's own. */
void array_object_bind(struct replay_context *context, uint64_t name);
/* Forgets the object, which has been deleted. If it is bound, object 0 is bound then (OpenGL 4.6,
 * section 10.3.1). */
void array_object_remove(struct replay_context *context, uint64_t name);

/* Frees what is known of all objects of the context. */
void array_objects_fini(struct replay_context *context);

#endif
