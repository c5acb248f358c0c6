/* SPDX-License-Identifier: MIT
 * Caches the constant parts of the text of a function's calls: the pieces before, between and after the
 * arguments.
 */
#ifndef TRACE_CALL_TEMPLATE_H
#define TRACE_CALL_TEMPLATE_H

#include "base/buf.h"
#include "trace/model.h"

/* Bytes that may be read from the beginning of each piece, even if it is shorter. */
#define TRACE_CALL_TEMPLATE_SPARE 32
/* Number of cache entries; a function uses the entry of its id modulo this. */
#define TRACE_CALL_TEMPLATE_COUNT 1024

struct trace_call_template {
    const struct trace_function_sig *sig;
    struct buf text;  /* the pieces one after another, then spare bytes */
    uint32_t *starts; /* arg_count + 2 offsets in text: piece i precedes argument i; the last piece follows
                         all arguments */
};

struct trace_call_template_cache {
    struct trace_call_template entries[TRACE_CALL_TEMPLATE_COUNT];
    bool used; /* the entry is filled */
};

/* Appends piece i (0 to sig->arg_count) to text. Returns 0 or a negative error code. */
typedef int (*trace_call_template_maker)(const void *style, const struct trace_function_sig *sig, uint32_t i,
                                         struct buf *text);

/* The slow path of trace_call_template_get(). */
const struct trace_call_template *trace_call_template_make(struct trace_call_template_cache *cache,
                                                           trace_call_template_maker make, const void *style,
                                                           const struct trace_function_sig *sig);

/* Returns the template of the function. It is valid until the next call for this function. Returns NULL if
 * there is no memory. */
static inline const struct trace_call_template *
trace_call_template_get(struct trace_call_template_cache *cache, trace_call_template_maker make,
                        const void *style, const struct trace_function_sig *sig)
{
    struct trace_call_template *p = &cache->entries[sig->id % TRACE_CALL_TEMPLATE_COUNT];
    return p->sig == sig ? p : trace_call_template_make(cache, make, style, sig);
}

/* Empties the cache and frees its memory. Call it before signatures are freed that the cache has been used
 * with. */
void trace_call_template_forget(struct trace_call_template_cache *cache);

#endif
