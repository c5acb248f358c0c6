/* SPDX-License-Identifier: MIT
 * The contexts of a trace, whom they share with, and in which threads they are current.
 * A context that is destroyed while it is current is freed once it is no longer current (GLX 1.4, 3.3.7; EGL
 * 1.5, 3.7.2), with all that belongs to it; the last of a share group also frees what they shared.
 */
#ifndef CLI_LEAK_CONTEXTS_H
#define CLI_LEAK_CONTEXTS_H

#include "leaks/leak_objects.h"

#include <stdbool.h>

struct leak_group {
    uint32_t number; /* from 1; 0: of the calls without a context */
    uint32_t contexts;
    struct leak_space space;
};

struct leak_context {
    uint64_t handle;
    struct leak_group *group;
    struct leak_space space;
    uint32_t threads; /* where it is current */
    bool makes_names; /* the first use of an unused name creates an object */
    bool destroyed;
    uint64_t destroyed_by; /* call number */
};

/* Zero-initialise. */
struct leak_contexts {
    struct int_map by_handle; /* to struct leak_context * */
    struct int_map current;   /* thread to struct leak_context * */
    struct leak_context none; /* for calls of threads without a context */
    struct leak_group no_group;
    struct leak_space displays; /* contexts, drawables and the like */
    uint32_t group_count;       /* so far */
    struct leak_findings findings;
};

/* A new context; share: the handle of one whose objects it shares, or 0. Its object's group is set. */
int leak_contexts_create(struct leak_contexts *c, struct leak_object *object, uint64_t share,
                         bool makes_names);

/* Is current in the thread from now on; handle 0: none is. One that the trace did not create is entered. */
int leak_contexts_make_current(struct leak_contexts *c, uint32_t thread, uint64_t handle);

/* Never NULL. */
struct leak_context *leak_contexts_current(struct leak_contexts *c, uint32_t thread);

/* The program deleted it. */
int leak_contexts_destroy(struct leak_contexts *c, uint64_t handle, uint64_t call);

/* `handle` shares the objects of `with` from now on. */
int leak_contexts_share(struct leak_contexts *c, uint64_t with, uint64_t handle);

/* The display is terminated, with its contexts and drawables. */
int leak_contexts_end_display(struct leak_contexts *c, uint64_t display, uint64_t call);

/* All that is left becomes findings. */
int leak_contexts_end(struct leak_contexts *c);
void leak_contexts_fini(struct leak_contexts *c);

#endif
