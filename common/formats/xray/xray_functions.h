/* SPDX-License-Identifier: MIT
 * The signatures of a log's functions, of which it only has numbers, and of its events.
 */
#ifndef XRAY_FUNCTIONS_H
#define XRAY_FUNCTIONS_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "trace/source.h"

#define XRAY_CUSTOM_NAME "custom_event"
#define XRAY_TYPED_NAME  "typed_event"

extern const struct trace_function_sig xray_custom_sig; /* (data) */
extern const struct trace_function_sig xray_typed_sig;  /* (type, data) */

/* A function with calls of different numbers of arguments has a signature for each of these. */
struct xray_function {
    struct trace_function_sig sig;
    struct xray_function *next; /* with another number of arguments */
};

/* Zero-initialise it before use. */
struct xray_functions {
    struct arena arena;
    struct xray_function **dense; /* of small numbers */
    uint32_t dense_count;
    struct int_map others; /* maps a number to an address */
    uint32_t count;
    trace_function_namer namer; /* NULL: a name is # and the number */
    void *context;              /* of the namer */
    int rc;                     /* why there was no signature */
};

void xray_functions_fini(struct xray_functions *f);

/* The slow path of xray_functions_find(). */
const struct trace_function_sig *xray_functions_add(struct xray_functions *f, uint32_t number, uint32_t args);

/* Returns the signature of a function, which stays until xray_functions_fini(). Its name is # and the number,
 * or what the namer says. Returns NULL, with the message and f->rc set, if there is none. */
static inline const struct trace_function_sig *xray_functions_find(struct xray_functions *f, uint32_t number,
                                                                   uint32_t args)
{
    const struct xray_function *function = number < f->dense_count ? f->dense[number] : NULL;
    return function != NULL && function->sig.arg_count == args ? &function->sig
                                                               : xray_functions_add(f, number, args);
}

#endif
