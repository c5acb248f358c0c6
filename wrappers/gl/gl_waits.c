/* SPDX-License-Identifier: MIT
 * Calls that wait for the GPU. What it has written to persistent mappings is then compared as well: if the
 * program overwrites that with what was there before, memory seems to be unchanged at the next comparison.
 * Results of queries are asked for so often that they are not taken for waits. Calls that wait without being
 * made for that, as those that read pixels, are not either.
 */
#include "capture/capture_hooks.h"
#include "capture/capture_thread.h"
#include "context/gl_context.h"
#include "context/gl_enums.h"
#include "memory/program_memory.h"

static bool has_mappings(void)
{
    return atomic_load_explicit(&capture_persistent_mappings, memory_order_relaxed) != 0;
}

static void compare_when_complete(struct capture_thread *t, bool has_waited)
{
    if (has_waited && has_mappings())
        t->complete = capture_persistent_writes;
}

/* glFinish() and the like, after the call */
DEFINE_HOOK(finish)
{
    UNUSED_HOOK_ARGUMENTS;
    compare_when_complete(t, true);
}

/* glTestFence*(…), glTestObjectAPPLE(…), after the call: returns whether it is complete */
DEFINE_HOOK(test_fence)
{
    UNUSED_HOOK_ARGUMENTS;
    compare_when_complete(t, (uint8_t)ret->u != 0);
}

/* gl*ClientWaitSync*(…), after the call */
DEFINE_HOOK(client_wait_sync)
{
    UNUSED_HOOK_ARGUMENTS;
    switch ((uint32_t)ret->u) {
    case SPEC_GL_ALREADY_SIGNALED:
    case SPEC_GL_CONDITION_SATISFIED:
    case SPEC_EGL_ALREADY_SIGNALED_NV:
    case SPEC_EGL_CONDITION_SATISFIED_NV:
    case SPEC_EGL_CONDITION_SATISFIED:
        compare_when_complete(t, true);
    }
}

/* glGetSynciv(sync, pname, count, length, values), after the call */
DEFINE_HOOK(get_sync)
{
    UNUSED_HOOK_ARGUMENTS;
    const int32_t *values = args[4].p;
    compare_when_complete(t, (uint32_t)args[1].u == SPEC_GL_SYNC_STATUS && has_mappings() &&
                                 program_memory_readable(values, sizeof *values) &&
                                 *values == SPEC_GL_SIGNALED);
}

/* glGetQueryObject*(id, pname, params), before the call: a query buffer is overwritten. */
DEFINE_HOOK(get_query_object)
{
    UNUSED_HOOK_ARGUMENTS;
    if (has_mappings() && gl_context_bound_buffer(t->context, GL_BUFFER_QUERY) != 0)
        capture_persistent_writes(t);
}
