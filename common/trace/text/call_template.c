/* SPDX-License-Identifier: MIT */
#include "trace/text/call_template.h"

#include "base/error.h"

#include <stdlib.h>

const struct trace_call_template *trace_call_template_make(struct trace_call_template_cache *cache,
                                                           trace_call_template_maker make, const void *style,
                                                           const struct trace_function_sig *sig)
{
    struct trace_call_template *p = &cache->entries[sig->id % TRACE_CALL_TEMPLATE_COUNT];
    p->sig = NULL;
    buf_clear(&p->text);
    uint32_t *starts = realloc(p->starts, ((size_t)sig->arg_count + 2) * sizeof *starts);
    int rc = starts == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : 0;
    if (starts != NULL)
        p->starts = starts;
    for (uint32_t i = 0; i <= sig->arg_count && rc == 0; ++i) {
        starts[i] = (uint32_t)p->text.len;
        rc = make(style, sig, i, &p->text);
    }
    if (rc == 0)
        rc = buf_reserve(&p->text, TRACE_CALL_TEMPLATE_SPARE);
    cache->used = true;
    if (rc != 0)
        return NULL;
    starts[sig->arg_count + 1] = (uint32_t)p->text.len;
    memset(p->text.data + p->text.len, 0, TRACE_CALL_TEMPLATE_SPARE);
    p->sig = sig;
    return p;
}

void trace_call_template_forget(struct trace_call_template_cache *cache)
{
    for (size_t i = 0; i < TRACE_CALL_TEMPLATE_COUNT && cache->used; ++i) {
        buf_fini(&cache->entries[i].text);
        free(cache->entries[i].starts);
        cache->entries[i].sig = NULL;
        cache->entries[i].starts = NULL;
    }
    cache->used = false;
}
