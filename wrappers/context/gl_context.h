/* SPDX-License-Identifier: MIT
 * What the wrapper must know of a GL context to size and complete its calls. What hot calls need is tracked;
 * where that could be wrong, or a rare call needs more, the driver is asked (gl_driver.h).
 */
#ifndef CONTEXT_GL_CONTEXT_H
#define CONTEXT_GL_CONTEXT_H

#include "base/hash_map.h"
#include "runtime/length.h"

#include <stdbool.h>
#include <stdint.h>

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

/* Vertex arrays: the fixed-function ones, then the generic attributes; in the order in which a draw's are
 * recorded, which is apitrace's (that has none of the first three). */
enum gl_array {
    GL_ARRAY_POINT_SIZE,
    GL_ARRAY_WEIGHT,
    GL_ARRAY_MATRIX_INDEX,
    GL_ARRAY_SECONDARY_COLOR,
    GL_ARRAY_FOG_COORD,
    GL_ARRAY_EDGE_FLAG,
    GL_ARRAY_TEXTURE_0,
    GL_ARRAY_INDEX = GL_ARRAY_TEXTURE_0 + GL_TEXTURE_ARRAYS,
    GL_ARRAY_COLOR,
    GL_ARRAY_NORMAL,
    GL_ARRAY_VERTEX,
    GL_ARRAY_GENERIC_0,
    GL_ARRAY_COUNT = GL_ARRAY_GENERIC_0 + GL_GENERIC_ARRAYS
};

/* A vertex array object. */
struct gl_vertex_array {
    uint32_t name;
    uint32_t element_buffer; /* buffer object bound to GL_ELEMENT_ARRAY_BUFFER, or 0 */
    /* Bit i: array i may be in the program's memory. While it is 0 draws ask nothing. */
    uint64_t client_pointers;
};

/* What the program has used of the context: only then the driver is asked about it. */
enum gl_usage {
    GL_USES_CLIENT_STACK = 1 << 0,   /* glPushClientAttrib(): any state may come back */
    GL_USES_ARRAY_ELEMENT = 1 << 1,  /* glArrayElement() with arrays in memory */
    GL_USES_DIVISORS = 1 << 2,       /* glVertexAttribDivisor() and its like */
    GL_USES_INTEGER_ARRAYS = 1 << 3, /* glVertexAttribIPointer() */
    GL_USES_LONG_ARRAYS = 1 << 4,    /* glVertexAttribLPointer() */
    GL_USES_LOCKED_ARRAYS = 1 << 5,  /* glLockArraysEXT() */
    GL_USES_RESTART = 1 << 6,        /* glEnable(GL_PRIMITIVE_RESTART) */
    GL_USES_RESTART_NV = 1 << 7,     /* glEnableClientState(GL_PRIMITIVE_RESTART_NV) */
    GL_USES_RESTART_FIXED = 1 << 8,  /* glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX) */
};

/* Which extensions are offered to the program (gl/gl_offers.h). */
struct gl_offers {
    bool known;
    uint8_t major;        /* version; 0: there is no current context */
    uint8_t driver;       /* bits by enum gl_offer: the driver has it */
    uint8_t added;        /* … it is added to the list that the program gets */
    int32_t driver_count; /* GL_NUM_EXTENSIONS, or gltrace.conf's */
    /* What glGetString(GL_EXTENSIONS) was answered with, and in place of what. */
    const char *list, *driver_list;
};

struct gl_context {
    void *handle;            /* GLXContext or EGLContext */
    void *display;           /* that it was made with; NULL when that was not seen */
    uint32_t share_group;    /* the same in contexts that share objects; 0: has none */
    struct spec_state sizes; /* what lengths depend on */
    enum gl_profile profile;
    unsigned version;                    /* 10 * major + minor; 0: not known */
    bool core;                           /* a core profile: nothing is in the program's memory */
    bool was_current;                    /* its initial viewport is recorded */
    bool destroyed;                      /* free it once no thread has it current */
    bool in_begin;                       /* between glBegin() and glEnd(): no questions, no state changes */
    bool compiling;                      /* between glNewList(…, GL_COMPILE) and glEndList() */
    uint32_t list;                       /* … the list */
    struct int_map list_ends;            /* what lists do that only begin, or only end, primitives */
    uint32_t used;                       /* enum gl_usage */
    uint32_t begun;                      /* the mode of the last glBegin() */
    uint32_t users;                      /* threads that have it current */
    uint32_t buffers[GL_BUFFER_TARGETS]; /* bound buffer objects; the element buffer is in `arrays` */
    struct gl_array_elements *elements;  /* between glBegin() and glEnd(): arrays in memory; owned */
    struct gl_vertex_array default_arrays;
    struct gl_vertex_array *arrays; /* bound */
    struct int_map named_arrays;    /* name -> struct gl_vertex_array *, owned */
    struct gl_offers offers;
    struct gl_context *next;
};

/* The context for handle, made on first sight; NULL when memory is out. */
struct gl_context *gl_context_get(void *handle);

/* The program made handle, which shares objects with the context called share, or with none (NULL). */
void gl_context_create(void *display, void *handle, const void *share);

/* Makes c current in place of old, either of which may be NULL. */
void gl_context_switch(struct gl_context *old, struct gl_context *c);

/* In a forked child: another thread of the parent may have held the lock. */
void gl_context_forget_parent(void);

/* What is told to whoever keeps state of share groups. */
struct gl_context_callbacks {
    void (*group_ended)(uint32_t share_group); /* its last context is gone, and its objects with it */
    void (*forked)(void);                      /* in a forked child: the parent's contexts are not ours */
};

/* callbacks: kept. There is one such user at most. */
void gl_context_set_callbacks(const struct gl_context_callbacks *callbacks);

/* Finds out profile and version of the calling thread's current context, unless they are known. */
void gl_context_identify(struct gl_context *c);

/* The program destroyed handle, or was given it for a new context. */
void gl_context_destroy(void *handle);

/* The program is done with display: none of its contexts outlives the moment that no thread has it current.
 */
void gl_context_terminate(const void *display);

/* The binding point that the GL enum target means; GL_BUFFER_TARGETS for none. */
enum gl_buffer_target gl_context_buffer_target(uint32_t target);

/* Binds buffer and brings c->sizes up to date. */
void gl_context_bind_buffer(struct gl_context *c, enum gl_buffer_target target, uint32_t buffer);
uint32_t gl_context_bound_buffer(const struct gl_context *c, enum gl_buffer_target target);
void gl_context_bind_arrays(struct gl_context *c, struct gl_vertex_array *arrays);

/* Asks the driver for what can have changed in ways that are not followed: buffer bindings, pixel store, the
 * vertex array object. */
void gl_context_refresh(struct gl_context *c);

/* The vertex array object called name, made on first sight; the default one for 0 or without memory. */
struct gl_vertex_array *gl_context_find_arrays(struct gl_context *c, uint32_t name);

/* The same, but NULL when it was not seen before. */
struct gl_vertex_array *gl_context_known_arrays(struct gl_context *c, uint32_t name);
void gl_context_delete_arrays(struct gl_context *c, uint32_t name);

#endif
