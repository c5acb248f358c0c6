/* SPDX-License-Identifier: MIT
 * Tracks the contexts of a trace, their share groups, and the threads in which they are current.
 * A context that is destroyed while current is freed once it is current nowhere (GLX 1.4, 3.3.7; EGL 1.5,
 * 3.7.2). Its objects are freed with it. The last context of a share group also frees the shared objects.
 */
#ifndef CLI_LEAK_CONTEXTS_H
#define CLI_LEAK_CONTEXTS_H

#include "leaks/leak_objects.h"

#include <stdbool.h>

struct leak_group {
    uint32_t number; /* from 1; 0: the group of calls without a context */
    uint32_t contexts;
    struct leak_space space;
};

struct leak_context {
    uint64_t handle;
    struct leak_group *group;
    struct leak_space space;
    uint32_t threads;     /* number of threads in which it is current */
    bool creates_on_bind; /* binding an unused name creates an object */
    bool destroyed;
    uint64_t destroyed_by; /* number of the call */
};

/* Zero-initialise it before use. */
struct leak_contexts {
    struct int_map by_handle; /* maps handles to struct leak_context * */
    struct int_map current;   /* maps threads to struct leak_context * */
    struct leak_context none; /* for calls of threads without a context */
    struct leak_group no_group;
    struct leak_space displays; /* contexts, drawables, and other objects of displays */
    uint32_t group_count;       /* number of share groups so far */
    struct leak_findings findings;
};

/* Adds a context. share is the handle of the context that it shares objects with, or 0. Sets object->group.
 * Returns 0 or TRACE_ERR_MEMORY. */
int leak_contexts_create(struct leak_contexts *c, struct leak_object *object, uint64_t share,
                         bool creates_on_bind);

/* Makes a context current in the thread, or none if handle is 0. A context whose creation is not in the trace
 * is added. */
int leak_contexts_make_current(struct leak_contexts *c, uint32_t thread, uint64_t handle);

/* Returns the thread's current context; never NULL: c->none stands for none. */
struct leak_context *leak_contexts_current(struct leak_contexts *c, uint32_t thread);

/* Notes that the program destroyed a context, at this call. */
int leak_contexts_destroy(struct leak_contexts *c, uint64_t handle, uint64_t call);

/* Makes `handle` share the objects of `with`. */
int leak_contexts_share(struct leak_contexts *c, uint64_t with, uint64_t handle);

/* Notes that a display is terminated, at this call; its contexts and drawables are freed with it. */
int leak_contexts_end_display(struct leak_contexts *c, uint64_t display, uint64_t call);

/* Call it at the end of the trace. Every remaining object becomes a finding. */
int leak_contexts_end(struct leak_contexts *c);
void leak_contexts_fini(struct leak_contexts *c);

#endif
