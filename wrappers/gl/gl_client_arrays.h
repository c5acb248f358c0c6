/* SPDX-License-Identifier: MIT
 * Vertex arrays in client memory. The gl*Pointer calls that set them are not recorded. Instead, before a draw
 * or glArrayElement(), the driver is queried for the arrays that it will read, and fake gl*Pointer calls are
 * recorded with their contents. Before a query of an array's format, the call that set it is recorded without
 * contents (gl_array_queries.c). The driver's answer is correct even if state was pushed, popped, rejected,
 * or set by other functions.
 */
#ifndef GL_GL_CLIENT_ARRAYS_H
#define GL_GL_CLIENT_ARRAYS_H

#include "capture/capture_thread.h"
#include "gl/gl_array_state.h"

/* Vertices [first, end), and the instances that are drawn of each. */
struct gl_array_range {
    uint64_t first, end;
    uint64_t instances, base_instance;
};

/* Returns true if a draw may read client memory. */
static inline bool gl_client_arrays_possible(const struct gl_context *c)
{
    return c->arrays->client_pointers != 0 && !c->in_begin;
}

/* Returns true if the memory that the draw will read is readable. If it is not, the draw's before hook runs
 * again after GL has drawn. */
bool gl_client_arrays_can_read(struct capture_thread *t, const void *memory, uint64_t size);

/* Records the arrays that a draw of this range reads. */
void gl_client_arrays_record(struct capture_thread *t, const struct gl_array_range *range);

/* Records the call that has set an array, with NULL as its address. */
void gl_client_array_record_format(struct capture_thread *t, const struct gl_client_array *a);

/* Used in a visitor: records glClientActiveTexture() if the array belongs to another texture unit than the
 * one before it, which *unit stores. After the last array, gl_client_arrays_leave_unit() restores the
 * program's unit. */
struct gl_client_unit {
    uint32_t program; /* the unit that the program has selected */
    uint32_t recorded;
};
void gl_client_arrays_enter_unit(struct capture_thread *t, struct gl_client_unit *unit, enum gl_array array);
void gl_client_arrays_leave_unit(struct capture_thread *t, struct gl_client_unit *unit);
struct gl_client_unit gl_client_arrays_unit(const struct gl_context *c);

#endif
