/* SPDX-License-Identifier: MIT */
#include "loop_calls.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "trace/call_copy.h"

int loop_calls_add(struct loop_calls *k, const struct ready_call *call)
{
    if (ARRAY_RESERVE(k->calls, k->count, k->cap) != 0)
        return TRACE_ERR_MEMORY;
    struct ready_call kept = *call;
    if (call->call == NULL)
        kept.plain.first = arena_copy(&k->memory, call->plain.first, call->plain.size);
    else
        kept.call = trace_call_copy(&k->memory, call->call);
    if (call->call == NULL ? kept.plain.first == NULL : kept.call == NULL)
        return TRACE_ERR_MEMORY;
    k->calls[k->count++] = kept;
    return 0;
}

void loop_calls_clear(struct loop_calls *k)
{
    k->count = 0;
    arena_reset(&k->memory);
}

void loop_calls_fini(struct loop_calls *k)
{
    arena_fini(&k->memory);
    free(k->calls);
    *k = (struct loop_calls){0};
}
