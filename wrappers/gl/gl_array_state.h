/* SPDX-License-Identifier: MIT
 * What the driver says of the vertex arrays of the current context.
 */
#ifndef GL_GL_ARRAY_STATE_H
#define GL_GL_ARRAY_STATE_H

#include "capture/capture_thread.h"
#include "context/gl_context.h"

#define GL_TEXTURE_ARRAYS_MASK ((((uint64_t)1 << GL_TEXTURE_ARRAYS) - 1) << GL_ARRAY_TEXTURE_0)

/* An enabled array in client memory. */
struct gl_client_array {
    enum gl_array array;
    uint16_t function; /* the gl*Pointer function that sets it */
    int32_t size;      /* number of components; may be GL_BGRA */
    uint32_t type;
    int32_t stride; /* as given to GL */
    bool normalized;
    uint32_t divisor;
    const uint8_t *pointer;
    uint32_t element; /* size of an element in bytes */
    uint32_t step;    /* distance between elements in bytes; 0: there is one */
};

/* Returns the step that the pointer's call gives the array. */
static inline uint32_t gl_step_of_pointer(const struct gl_client_array *a)
{
    return a->stride > 0 ? (uint32_t)a->stride : a->element;
}

/* Returns the fixed-function array that a gl*Pointer function sets, GL_ARRAY_TEXTURE_0 for that of each unit;
 * GL_ARRAY_COUNT: none. */
enum gl_array gl_array_set_by(uint32_t function);

/* Returns the fixed-function array whose size, type, stride or buffer glGet*(pname) returns,
 * GL_ARRAY_TEXTURE_0 for that of each unit; GL_ARRAY_COUNT: none. */
enum gl_array gl_array_asked_by(uint32_t pname);

/* Returns the enum of glEnableClientState() for a fixed-function array. */
uint32_t gl_client_array_state(enum gl_array array);

static inline bool gl_client_array_is_texture(enum gl_array array)
{
    return array >= GL_ARRAY_TEXTURE_0 && array < GL_ARRAY_INDEX;
}

/* Returns the texture unit that calls for arrays of texture coordinates refer to. */
unsigned gl_client_unit(const struct gl_context *c);

/* Returns true if no array has this stride (spec_array_stride()). Mesa keeps it in spite of the error. */
bool gl_stride_is_refused(const struct gl_context *c, int64_t stride);

/* A generic attribute, which the context has. The second one sets all but `element` and `step`. */
bool gl_attribute_is_in_buffer(uint32_t index);
void gl_attribute_describe(const struct gl_context *c, uint32_t index, struct gl_client_array *a);

/* Sets *a, and returns true, if the context has the array, and it is in
 * client memory, enabled or not. */
bool gl_client_array_describe(const struct gl_context *c, enum gl_array array, struct gl_client_array *a);

/* Calls visit for each array that is enabled and in client memory, in the order of enum gl_array. */
typedef void (*gl_client_array_visitor)(struct capture_thread *t, const struct gl_client_array *array,
                                        void *data);
void gl_client_arrays_visit(struct capture_thread *t, gl_client_array_visitor visit, void *data);

#endif
