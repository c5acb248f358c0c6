/* SPDX-License-Identifier: MIT
 * What the wrapper must know of a GL context to size and complete its calls; tracked, never queried.
 */
#ifndef WRAPPERS_GL_CONTEXT_H
#define WRAPPERS_GL_CONTEXT_H

#include "base/hash_map.h"
#include "runtime/length.h"

#include <pthread.h>

enum gl_profile { GL_PROFILE_UNKNOWN, GL_PROFILE_DESKTOP, GL_PROFILE_ES };

/* Buffer binding points. */
enum gl_buffer_target {
    GL_BUFFER_ARRAY,
    GL_BUFFER_ELEMENT_ARRAY,
    GL_BUFFER_PIXEL_PACK,
    GL_BUFFER_PIXEL_UNPACK,
    GL_BUFFER_DRAW_INDIRECT,
    GL_BUFFER_QUERY,
    GL_BUFFER_UNIFORM,
    GL_BUFFER_TEXTURE,
    GL_BUFFER_TRANSFORM_FEEDBACK,
    GL_BUFFER_COPY_READ,
    GL_BUFFER_COPY_WRITE,
    GL_BUFFER_DISPATCH_INDIRECT,
    GL_BUFFER_SHADER_STORAGE,
    GL_BUFFER_ATOMIC_COUNTER,
    GL_BUFFER_PARAMETER,
    GL_BUFFER_TARGETS,
};

#define GL_TEXTURE_ARRAYS 16
#define GL_GENERIC_ARRAYS 32

/* Client-side vertex arrays: the fixed-function ones, then the generic attributes. */
enum gl_array {
    GL_ARRAY_VERTEX,
    GL_ARRAY_NORMAL,
    GL_ARRAY_COLOR,
    GL_ARRAY_SECONDARY_COLOR,
    GL_ARRAY_INDEX,
    GL_ARRAY_EDGE_FLAG,
    GL_ARRAY_FOG_COORD,
    GL_ARRAY_TEXTURE_0,
    GL_ARRAY_GENERIC_0 = GL_ARRAY_TEXTURE_0 + GL_TEXTURE_ARRAYS,
    GL_ARRAY_COUNT = GL_ARRAY_GENERIC_0 + GL_GENERIC_ARRAYS
};

/* The gl*Pointer call that set an array. */
struct gl_array_pointer {
    uint16_t function; /* its id */
    uint8_t parameter; /* which of its arguments is the pointer */
    uint32_t divisor;
    uint32_t element; /* bytes of one element */
    uint32_t stride;  /* bytes from one element to the next */
    union spec_arg arguments[8];
};

/* A vertex array object. */
struct gl_vertex_array {
    uint32_t name;
    uint32_t element_buffer; /* buffer object bound to GL_ELEMENT_ARRAY_BUFFER, or 0 */
    uint64_t enabled;        /* bit i: array i is enabled */
    uint64_t in_memory;      /* bit i: array i was set while no buffer was bound: its pointer is an address */
    struct gl_array_pointer arrays[GL_ARRAY_COUNT];
};

#define GL_CLIENT_STACK 16

struct gl_client_attributes { /* one level of glPushClientAttrib */
    uint32_t mask;
    struct spec_pixel_store unpack, pack;
    struct gl_vertex_array *arrays; /* a copy, owned */
    uint32_t active_texture;
};

struct gl_context {
    void *handle;            /* GLXContext or EGLContext */
    struct spec_state sizes; /* what lengths depend on */
    enum gl_profile profile;
    uint32_t buffers[GL_BUFFER_TARGETS]; /* bound buffer objects; the element buffer is in `arrays` */
    bool was_current;                    /* its initial viewport is recorded */
    bool destroyed;                      /* free it once no thread has it current */
    uint32_t users;                      /* threads that have it current */
    uint32_t active_texture;             /* glClientActiveTexture */
    uint32_t locked_first, locked_count; /* glLockArraysEXT */
    bool primitive_restart, primitive_restart_fixed; /* glEnable(GL_PRIMITIVE_RESTART…) */
    uint32_t restart_index;
    struct gl_vertex_array default_arrays;
    struct gl_vertex_array *arrays; /* bound */
    struct int_map named_arrays;    /* name -> struct gl_vertex_array *, owned */
    struct gl_client_attributes stack[GL_CLIENT_STACK];
    uint32_t stack_depth;
    struct gl_context *next;
};

/* The context for handle, made on first sight; NULL when memory is out. */
struct gl_context *gl_context_get(void *handle);

/* Makes c current in place of old, either of which may be NULL. */
void gl_context_switch(struct gl_context *old, struct gl_context *c);

/* In a forked child: another thread of the parent may have held the lock. */
void gl_context_unlock_after_fork(void);

/* The program destroyed handle. */
void gl_context_destroy(void *handle);

/* The binding point that the GL enum target means; GL_BUFFER_TARGETS for none. */
enum gl_buffer_target gl_context_buffer_target(uint32_t target);

/* Binds buffer and brings c->sizes up to date. */
void gl_context_bind_buffer(struct gl_context *c, enum gl_buffer_target target, uint32_t buffer);
uint32_t gl_context_bound_buffer(const struct gl_context *c, enum gl_buffer_target target);
void gl_context_bind_arrays(struct gl_context *c, struct gl_vertex_array *arrays);

/* The vertex array object called name, made on first sight; the default one for 0 or without memory. */
struct gl_vertex_array *gl_context_find_arrays(struct gl_context *c, uint32_t name);
void gl_context_delete_arrays(struct gl_context *c, uint32_t name);

#endif
