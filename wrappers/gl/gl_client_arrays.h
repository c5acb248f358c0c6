/* SPDX-License-Identifier: MIT
 * Vertex arrays in the program's memory. The gl*Pointer calls that set them are not recorded. A draw, or
 * glArrayElement(), asks the driver for the arrays that it reads, and records fake gl*Pointer calls with
 * their memory. The driver's answer is right whatever was pushed, popped, rejected or set in other ways.
 */
#ifndef GL_GL_CLIENT_ARRAYS_H
#define GL_GL_CLIENT_ARRAYS_H

#include "capture/capture_thread.h"
#include "context/gl_context.h"

/* An enabled array in the program's memory. */
struct gl_client_array {
    enum gl_array array;
    uint16_t function; /* the gl*Pointer function that makes it what it is */
    int32_t size;      /* components; may be GL_BGRA */
    uint32_t type;
    int32_t stride; /* as given to GL */
    bool normalized;
    uint32_t divisor;
    const uint8_t *pointer;
    uint32_t element; /* bytes of one element */
    uint32_t step;    /* bytes from one element to the next */
};

/* Vertices [first, end), and the instances of each. */
struct gl_array_range {
    uint64_t first, end;
    uint64_t instances, base_instance;
};

/* Could a draw read the program's memory? */
static inline bool gl_client_arrays_possible(const struct gl_context *c)
{
    return c->arrays->client_pointers != 0 && !c->in_begin;
}

/* Calls visit for each array that is enabled and in the program's memory, in the order of enum gl_array. */
typedef void (*gl_client_array_visitor)(struct capture_thread *t, const struct gl_client_array *array,
                                        void *data);
void gl_client_arrays_visit(struct capture_thread *t, gl_client_array_visitor visit, void *data);

/* Could this memory be read, which the draw is going to read? If not, the draw's before hook runs once more
 * when GL has drawn. */
bool gl_client_arrays_can_read(struct capture_thread *t, const void *memory, uint64_t size);

/* Records what a draw of this range reads. */
void gl_client_arrays_record(struct capture_thread *t, const struct gl_array_range *range);

/* In a visitor: records glClientActiveTexture() where array belongs to another texture unit than the arrays
 * before it, of which *unit is the last one's. After the last array, gl_client_arrays_leave_unit() goes back
 * to the program's unit. */
struct gl_client_unit {
    uint32_t program; /* the unit that the program has chosen */
    uint32_t recorded;
};
void gl_client_arrays_enter_unit(struct capture_thread *t, struct gl_client_unit *unit, enum gl_array array);
void gl_client_arrays_leave_unit(struct capture_thread *t, struct gl_client_unit *unit);
struct gl_client_unit gl_client_arrays_unit(const struct gl_context *c);

/* The enum of glEnableClientState() for a fixed-function array. */
uint32_t gl_client_array_state(enum gl_array array);

static inline bool gl_client_array_is_texture(enum gl_array array)
{
    return array >= GL_ARRAY_TEXTURE_0 && array < GL_ARRAY_INDEX;
}

/* Bytes of one element: components may be GL_BGRA. */
uint32_t gl_client_array_element(int32_t components, uint32_t type);

#endif
