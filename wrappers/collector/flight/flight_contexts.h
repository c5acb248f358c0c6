/* SPDX-License-Identifier: MIT
 * The contexts of a process, what is current in its threads, and the objects and bindings that exist, each
 * with the calls that made it so. A context that is destroyed while it is current lives until it no longer is
 * (GLX 1.4, 3.3.7; EGL 1.5, 3.7.2). The last context of a share group takes the shared objects with it.
 */
#ifndef COLLECTOR_FLIGHT_CONTEXTS_H
#define COLLECTOR_FLIGHT_CONTEXTS_H

#include "base/hash_map.h"
#include "collector/kept_calls.h"

/* An object, or what is bound in one place. */
struct flight_object {
    uint16_t kind; /* as in spec_object_kinds; of a binding, that of what is bound; 0: none */
    uint64_t name;
    uint64_t owner;          /* the program or the display that it belongs to, or 0 */
    struct kept_call *made;  /* the call that made it or bound it */
    struct kept_call *bound; /* the first call that bound it; NULL: none, or it is the same */
};

/* Maps keys to struct flight_object *. */
struct flight_space {
    struct int_map objects;
};

struct flight_group {
    unsigned contexts;
    struct flight_space objects, members; /* members: of programs */
};

struct flight_context {
    uint64_t handle, display;
    struct flight_group *group;
    struct kept_call *made;    /* NULL: not seen */
    struct kept_call *current; /* the latest call that made it current */
    struct kept_call *left;    /* the latest call after which it was not current in that thread */
    unsigned threads;          /* in which it is current */
    bool destroyed;
    struct flight_space objects, bindings;
};

struct flight_contexts {
    struct kept_calls calls;
    struct int_map by_handle;   /* to struct flight_context * */
    struct int_map by_thread;   /* likewise: the current one */
    struct flight_context none; /* of calls without a context; also what is set everywhere */
    struct flight_group no_group;
    struct flight_space displays; /* objects of displays other than contexts */
};

void flight_contexts_init(struct flight_contexts *c);
void flight_contexts_fini(struct flight_contexts *c);

/* Never NULL: c->none stands for none. */
struct flight_context *flight_contexts_current(struct flight_contexts *c, uint32_t thread);

/* share: the handle of a context, or 0. Errors: TRACE_ERR_MEMORY. */
int flight_contexts_create(struct flight_contexts *c, uint64_t handle, uint64_t display, uint64_t share,
                           struct kept_call *call);

/* handle 0: none. A context that is not known is added. Errors: TRACE_ERR_MEMORY. */
int flight_contexts_make_current(struct flight_contexts *c, uint32_t thread, uint64_t handle,
                                 struct kept_call *call);
void flight_contexts_destroy(struct flight_contexts *c, uint64_t handle);

/* The display is terminated, with all that belongs to it. */
void flight_contexts_end_display(struct flight_contexts *c, uint64_t display);

/* Returns the object, or NULL. */
struct flight_object *flight_space_find(const struct flight_space *s, uint64_t key);

/* Adds an object, or replaces it. Errors: TRACE_ERR_MEMORY. */
int flight_space_set(struct flight_contexts *c, struct flight_space *s, uint64_t key,
                     const struct flight_object *object);
void flight_space_remove(struct flight_contexts *c, struct flight_space *s, uint64_t key);

/* Removes the objects for which `matches` returns true. */
void flight_space_remove_all(struct flight_contexts *c, struct flight_space *s,
                             bool (*matches)(const struct flight_object *object, uint64_t kind,
                                             uint64_t value),
                             uint64_t kind, uint64_t value);

/* Removes the bindings of an object that is deleted, in all contexts of the group. */
void flight_contexts_unbind(struct flight_contexts *c, const struct flight_group *group, uint16_t kind,
                            uint64_t name);

#endif
