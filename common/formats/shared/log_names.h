/* SPDX-License-Identifier: MIT
 * The objects that the events of a log share: signatures of functions, types of resources, and origins. Each
 * is kept once, and lent until log_names_fini(). Functions that return a pointer return NULL, with the
 * message set, if there is no memory.
 */
#ifndef FORMATS_LOG_NAMES_H
#define FORMATS_LOG_NAMES_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "trace/event.h"

struct log_names_slot {
    const char *key; /* NULL: the slot is empty */
    size_t length;
    uint64_t hash;
    const void *value;
};

struct log_names_table {
    struct log_names_slot *slots;
    size_t cap; /* a power of two, or 0 */
    size_t count;
};

/* A log may have as many origins as threads, so they are their own keys. */
struct log_origins {
    const struct trace_origin **slots; /* NULL: the slot is empty */
    size_t cap;                        /* a power of two, or 0 */
    size_t count;
};

struct log_names {
    struct arena arena;
    struct log_names_table functions;            /* keyed by name and argument names */
    struct log_names_table declarations;         /* declared resource types, keyed by all their members */
    struct log_names_table type_names;           /* resource types by name */
    struct int_map types;                        /* maps an id to a type's address */
    size_t declared_types;                       /* number of different declared ids */
    uint32_t last_added_id;                      /* id of the last type that is only named by calls */
    const struct trace_resource_type *only_type; /* if exactly one type is declared */
    struct log_origins origins;
    int64_t process; /* process of the origins that only differ in their contexts */
    const struct trace_origin *last_origin;
    const struct trace_resource_type *last_type;
    struct trace_resource_type unknown_type;
};

void log_names_init(struct log_names *n);
void log_names_fini(struct log_names *n);

/* Returns the function with this key. A key is the function's name, a NUL, and a name for each argument. */
const struct trace_function_sig *log_names_function(struct log_names *n, const char *key, size_t length,
                                                    uint32_t arg_count);

/* Declares a type, whose members are copied. If several types have the same id, the last one is used for
 * calls. Errors: TRACE_ERR_MEMORY. */
int log_names_declare(struct log_names *n, const struct trace_resource_type *type);

/* Returns the declaration with the same members, or NULL if there is none, or no memory. */
const struct trace_resource_type *log_names_declaration(struct log_names *n,
                                                        const struct trace_resource_type *type);

/* Returns the type with this id. Id 0 stands for the only declared type if there is just one. An id that was
 * not declared gets a type without a name. */
const struct trace_resource_type *log_names_type(struct log_names *n, uint32_t id);

/* The first function returns the declared type with this name, or NULL if there is none. The second creates a
 * type. */
const struct trace_resource_type *log_names_find_type(const struct log_names *n, const char *name,
                                                      size_t length);
const struct trace_resource_type *log_names_add_type(struct log_names *n, const char *name, size_t length);

/* Returns the origin with these members, for a format that distinguishes threads, processors or processes.
 * Members that it does not have are unknown (-1). */
const struct trace_origin *log_names_find_origin(struct log_names *n, const struct trace_origin *origin);

/* Returns the origin of calls that were made in these contexts, in n->process, in an unknown thread. */
const struct trace_origin *log_names_origin_of(struct log_names *n, uint32_t contexts);

static inline const struct trace_origin *log_names_origin(struct log_names *n, uint32_t contexts)
{
    if (n->last_origin != NULL && n->last_origin->contexts == contexts)
        return n->last_origin;
    return log_names_origin_of(n, contexts);
}

#endif
