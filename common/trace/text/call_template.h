/* SPDX-License-Identifier: MIT
 * What is the same in the text of all calls of a function: the pieces before, between and after its
 * arguments, made once.
 */
#ifndef TRACE_CALL_TEMPLATE_H
#define TRACE_CALL_TEMPLATE_H

#include "base/buf.h"
#include "trace/model.h"

#define TRACE_CALL_TEMPLATE_SPARE 32   /* bytes that may be read from wherever a piece begins */
#define TRACE_CALL_TEMPLATE_COUNT 1024 /* functions, by id, modulo */

struct trace_call_template {
    const struct trace_function_sig *sig;
    struct buf text; /* pieces, each followed by the next, and bytes to spare */
    uint32_t
        *starts; /* arg_count + 2 positions in text: piece i is before argument i, the last one after all */
};

struct trace_call_template_cache {
    struct trace_call_template entries[TRACE_CALL_TEMPLATE_COUNT];
    bool used; /* an entry was made */
};

/* Appends piece i, 0 to sig->arg_count, to text; 0 or an error. */
typedef int (*trace_call_template_maker)(const void *style, const struct trace_function_sig *sig, uint32_t i,
                                         struct buf *text);

/* The slow half of trace_call_template_get(). */
const struct trace_call_template *trace_call_template_make(struct trace_call_template_cache *cache,
                                                           trace_call_template_maker make, const void *style,
                                                           const struct trace_function_sig *sig);

/* Valid until the next call of this function; NULL when memory is out. */
static inline const struct trace_call_template *
trace_call_template_get(struct trace_call_template_cache *cache, trace_call_template_maker make,
                        const void *style, const struct trace_function_sig *sig)
{
    struct trace_call_template *p = &cache->entries[sig->id % TRACE_CALL_TEMPLATE_COUNT];
    return p->sig == sig ? p : trace_call_template_make(cache, make, style, sig);
}

/* Signatures that the cache has seen are about to be freed. Frees what the cache holds, too. */
void trace_call_template_forget(struct trace_call_template_cache *cache);

#endif
