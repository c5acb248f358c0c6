/* SPDX-License-Identifier: MIT */
#include "loop_calls.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

int loop_calls_add(struct loop_calls *k, const struct ready_call *call)
{
    if (ARRAY_RESERVE(k->calls, k->count, k->cap) != 0)
        return TRACE_ERR_MEMORY;
    struct ready_call kept = *call;
    if (call->call == NULL) {
        kept.plain.first = arena_copy(&k->plain, call->plain.first, call->plain.size);
        if (kept.plain.first == NULL)
            return TRACE_ERR_MEMORY;
    }
    k->calls[k->count++] = kept;
    return 0;
}

void loop_calls_clear(struct loop_calls *k, struct trace_reader *reader)
{
    for (size_t i = 0; i < k->count; ++i)
        trace_call_release(reader, k->calls[i].call);
    k->count = 0;
    arena_reset(&k->plain);
}

void loop_calls_fini(struct loop_calls *k, struct trace_reader *reader)
{
    loop_calls_clear(k, reader);
    arena_fini(&k->plain);
    free(k->calls);
    *k = (struct loop_calls){0};
}
