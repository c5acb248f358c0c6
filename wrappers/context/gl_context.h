/* SPDX-License-Identifier: MIT
 * The state of a GL context that the wrapper needs to size and complete calls. State that frequent calls need
 * is tracked. If the tracked state could be wrong, or if a rare call needs more, the driver is queried
 * (gl_driver.h).
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
    GL_BUFFER_PINNED, /* memory of the program: GL_AMD_pinned_memory */
    GL_BUFFER_TARGETS,
};

#define GL_TEXTURE_ARRAYS 16
#define GL_GENERIC_ARRAYS 32

/* Vertex arrays: the fixed-function arrays, then the generic attributes. Their order is the one in which
 * apitrace records them before a draw; apitrace does not have the first three. */
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
    /* Bit i: array i may be in client memory. While this is 0, draws query nothing. */
    uint64_t client_pointers;
};

/* Features of the context that the program has used. The driver is only queried about these. */
enum gl_usage {
    GL_USES_CLIENT_STACK = 1 << 0,   /* glPushClientAttrib(): glPopClientAttrib() may restore any state */
    GL_USES_ARRAY_ELEMENT = 1 << 1,  /* glArrayElement() with client-side arrays */
    GL_USES_DIVISORS = 1 << 2,       /* glVertexAttribDivisor() and similar functions */
    GL_USES_INTEGER_ARRAYS = 1 << 3, /* glVertexAttribIPointer() */
    GL_USES_LONG_ARRAYS = 1 << 4,    /* glVertexAttribLPointer() */
    GL_USES_LOCKED_ARRAYS = 1 << 5,  /* glLockArraysEXT() */
    GL_USES_RESTART = 1 << 6,        /* glEnable(GL_PRIMITIVE_RESTART) */
    GL_USES_RESTART_NV = 1 << 7,     /* glEnableClientState(GL_PRIMITIVE_RESTART_NV) */
    GL_USES_RESTART_FIXED = 1 << 8,  /* glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX) */
    GL_USES_BINDINGS = 1 << 9,       /* glBindVertexBuffer() and the like: arrays come back to memory */
};

/* Which extensions are offered to the program (gl/gl_offers.h). */
struct gl_offers {
    bool known;
    uint8_t major;        /* 0: there is no current context */
    uint8_t driver;       /* one bit for each enum gl_offer: the driver has it */
    uint8_t added;        /* the same: it is added to the list that the program gets */
    int32_t driver_count; /* GL_NUM_EXTENSIONS of the driver or of gltrace.conf */
    /* The result of glGetString(GL_EXTENSIONS), and the driver's string that it replaces. */
    const char *list, *driver_list;
};

/* Boxes that the program has drawn to while the drawable had this size. */
enum { SEEN_BOXES = 8 };
struct seen_boxes {
    uint64_t drawable;            /* that the context was bound to */
    int32_t boxes[SEEN_BOXES][4]; /* x, y, width, height */
    unsigned count;               /* how many were added; the last SEEN_BOXES of them are there */
    bool beyond;                  /* one of them is not within the drawable, and tells nothing of its size */
    unsigned questions;           /* in this frame, or since `since` */
    uint64_t since;               /* when there were too many questions, in ns */
    unsigned width, height;       /* as the trace has been told; 0: it has not */
};

struct gl_context {
    void *handle;            /* GLXContext or EGLContext */
    void *display;           /* of its creation; NULL if the creation was not seen */
    uint32_t share_group;    /* the same for all contexts that share objects; 0: none */
    struct spec_state sizes; /* state that lengths depend on */
    bool has_inverted_rows;  /* the program has set GL_PACK_INVERT_MESA */
    enum gl_profile profile;
    unsigned version; /* 10 * major + minor; 0: unknown */
    bool core;        /* a core profile, which has no client-side arrays */
    bool was_current; /* its initial viewport has been recorded */
    bool has_boxes;   /* that viewport was not empty */
    bool destroyed;   /* to be freed when it is not current in any thread */
    bool in_begin; /* between glBegin() and glEnd(): the driver must not be queried, and state does not change
                    */
    bool compiling;                      /* between glNewList(…, GL_COMPILE) and glEndList() */
    bool in_list;                        /* between glNewList() and glEndList() */
    uint32_t list;                       /* the name of that list */
    struct int_map list_ends;            /* lists that only begin, or only end, primitives */
    uint32_t used;                       /* enum gl_usage */
    uint32_t begun;                      /* the mode of the last glBegin() */
    uint32_t draw_framebuffer;           /* the bound framebuffer object; 0: the window */
    uint32_t users;                      /* number of threads in which it is current */
    uint32_t buffers[GL_BUFFER_TARGETS]; /* bound buffer objects; the element buffer is in `arrays` */
    struct gl_array_elements *elements;  /* client-side arrays between glBegin() and glEnd(); owned */
    struct gl_vertex_array default_arrays;
    struct gl_vertex_array *arrays; /* the bound vertex array object */
    struct int_map named_arrays;    /* maps a name to a struct gl_vertex_array, which is owned */
    struct gl_offers offers;
    struct seen_boxes seen_boxes; /* gl/gl_drawable_sizes.h */
    struct gl_context *next;
};

/* Returns the context with this handle. Creates it the first time. Returns NULL if there is no memory. */
struct gl_context *gl_context_get(void *handle);

/* The program has created a context that shares objects with the context `share`, or with none (NULL). */
void gl_context_create(void *display, void *handle, const void *share);

/* Makes c current and old no longer current. Either may be NULL. */
void gl_context_switch(struct gl_context *old, struct gl_context *c);

/* Call it in a forked child, because another thread of the parent may have held the lock. */
void gl_context_forget_parent(void);

/* Callbacks for a module that keeps state of share groups. */
struct gl_context_callbacks {
    /* The last context of the group and all its objects are gone. */
    void (*group_ended)(uint32_t share_group);
    void (*forked)(void); /* in a forked child, which does not own the parent's contexts */
};

/* The callbacks are lent for ever. At most one module can set them. */
void gl_context_set_callbacks(const struct gl_context_callbacks *callbacks);

/* Queries the profile and the version of the calling thread's current context, unless they are known. */
void gl_context_identify(struct gl_context *c);

/* The program has destroyed the context, or has got its handle for a new one. */
void gl_context_destroy(void *handle);

/* The program has terminated the display. Its contexts are destroyed when they are no longer current in any
 * thread. */
void gl_context_terminate(const void *display);

/* Returns the binding point of the GL enum target, or GL_BUFFER_TARGETS if there is none. */
enum gl_buffer_target gl_context_buffer_target(uint32_t target);

/* Binds buffer and updates c->sizes. */
void gl_context_bind_buffer(struct gl_context *c, enum gl_buffer_target target, uint32_t buffer);
uint32_t gl_context_bound_buffer(const struct gl_context *c, enum gl_buffer_target target);
void gl_context_bind_arrays(struct gl_context *c, struct gl_vertex_array *arrays);

/* Queries the driver for state that may have changed by untracked calls: buffer bindings, pixel store, and
 * the vertex array object. */
void gl_context_refresh(struct gl_context *c);

/* Returns the vertex array object with this name. Creates it the first time. Returns the default one for name
 * 0, or if there is no memory. */
struct gl_vertex_array *gl_context_find_arrays(struct gl_context *c, uint32_t name);

/* Does the same, but returns NULL if the name is unknown. */
struct gl_vertex_array *gl_context_known_arrays(struct gl_context *c, uint32_t name);
void gl_context_delete_arrays(struct gl_context *c, uint32_t name);

#endif
