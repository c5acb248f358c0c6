/* SPDX-License-Identifier: MIT
 * What the events of a log share, each once: signatures of functions, types of resources, origins. All is
 * lent until log_names_fini(). Functions that return a pointer return NULL, with the message set, when memory
 * is out.
 */
#ifndef FORMATS_LOG_NAMES_H
#define FORMATS_LOG_NAMES_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "trace/event.h"

#define LOG_NAMES_TYPES_MAX 65536 /* different declarations of resource types that are told apart */

struct log_names_slot {
    const char *key; /* NULL: empty */
    size_t length;
    uint64_t hash;
    const void *value;
};

struct log_names_table {
    struct log_names_slot *slots;
    size_t cap; /* power of two, or 0 */
    size_t count;
};

struct log_names {
    struct arena arena;
    struct log_names_table functions;            /* by name and argument names */
    struct log_names_table declarations;         /* of resource types, by all they say */
    struct log_names_table type_names;           /* to resource types */
    struct int_map types;                        /* id to address */
    size_t declared_types;                       /* different ids */
    const struct trace_resource_type *only_type; /* if there is one */
    struct int_map origins;                      /* contexts to address; of process: */
    int64_t process;
    const struct trace_origin *last_origin;
    const struct trace_resource_type *last_type;
    struct trace_resource_type unknown_type;
};

void log_names_init(struct log_names *n);
void log_names_fini(struct log_names *n);

/* The function whose key this is: its name, then a NUL and a name for each argument. */
const struct trace_function_sig *log_names_function(struct log_names *n, const char *key, size_t length,
                                                    uint32_t arg_count);

/* Declares a type, whose members are copied. Of several with one id, the last one is that of calls.
 * TRACE_ERR_MEMORY, TRACE_ERR_UNSUPPORTED: too many. */
int log_names_declare(struct log_names *n, const struct trace_resource_type *type);

/* The declaration that says the same; NULL: none, or out of memory. */
const struct trace_resource_type *log_names_declaration(struct log_names *n,
                                                        const struct trace_resource_type *type);

/* The type with that id. 0 means the only one, if there is just one; an id that was not declared gets a type
 * without a name. */
const struct trace_resource_type *log_names_type(struct log_names *n, uint32_t id);

/* The declared type of that name, NULL if there is none; and one that is made up. */
const struct trace_resource_type *log_names_find_type(const struct log_names *n, const char *name,
                                                      size_t length);
const struct trace_resource_type *log_names_add_type(struct log_names *n, const char *name, size_t length);

/* Where calls with these contexts come from. */
const struct trace_origin *log_names_origin_of(struct log_names *n, uint32_t contexts);

static inline const struct trace_origin *log_names_origin(struct log_names *n, uint32_t contexts)
{
    if (n->last_origin != NULL && n->last_origin->contexts == contexts)
        return n->last_origin;
    return log_names_origin_of(n, contexts);
}

#endif
