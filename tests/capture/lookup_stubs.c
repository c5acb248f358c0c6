/* SPDX-License-Identifier: MIT
 * For test_lookup.c: the code for lookups as a library that is loaded before the others, with a few stubs.
 * The stubs count their calls and forward them to the real functions.
 */
#include "lookup_stubs.h"

#include "lookup/real_functions.h"
#include "lookup/stubs.h"
#include "lookup/thunks.h"
#include "process/capture_log.h"
#include "process/capture_process.h"
#include "unwind/stack_walk.h"

#include "runtime/spec.h"
#include "spec_ids.h"

uint32_t capture_api_mask = SPEC_API_GL | SPEC_API_GLX | SPEC_API_EGL | SPEC_API_C;

static unsigned calls, logs;

void capture_log(const char *format, ...)
{
    (void)format;
    logs++;
}

static capture_function go_on(uint32_t id)
{
    capture_function real = thunk_real;
    thunk_real = NULL;
    calls++;
    return real != NULL ? real : real_function_find(id);
}

#define STUB(name)                                                                                           \
    CAPTURE_EXPORT unsigned name(void);                                                                      \
    unsigned name(void)                                                                                      \
    {                                                                                                        \
        return ((unsigned (*)(void))go_on(SPEC_FN_##name))();                                                \
    }
STUB(glGetError)
STUB(glIsTexture)
STUB(glIsQuery)
STUB(glIsBuffer)
STUB(glIsShader)
STUB(glIsVertexArray)
STUB(eglGetError)
STUB(glXGetCurrentContext)
#undef STUB

#define GETTER(getter)                                                                                       \
    CAPTURE_EXPORT void *getter(const char *name);                                                           \
    void *getter(const char *name)                                                                           \
    {                                                                                                        \
        return ((void *(*)(const char *))go_on(SPEC_FN_##getter))(name);                                     \
    }
GETTER(eglGetProcAddress)
GETTER(glXGetProcAddressARB)
#undef GETTER

#define STUB(name) [SPEC_FN_##name] = (capture_function)(name)
void (*const capture_stubs[SPEC_FUNCTION_COUNT])(void) = {
    STUB(glGetError),        STUB(glIsTexture),         STUB(glIsQuery),   STUB(glIsBuffer),
    STUB(glIsShader),        STUB(glIsVertexArray),     STUB(eglGetError), STUB(glXGetCurrentContext),
    STUB(eglGetProcAddress), STUB(glXGetProcAddressARB)};
#undef STUB

unsigned lookup_calls(void)
{
    return calls;
}

void stack_walk_forget(void)
{
}

unsigned lookup_logs(void)
{
    return logs;
}

unsigned lookup_call_real(unsigned id)
{
    return ((unsigned (*)(void))real_function_find(id))();
}

unsigned lookup_egl_unloads(void)
{
    return real_functions_egl_unloads();
}

bool lookup_is_thunk(const void *address)
{
    return thunk_is(address);
}

bool lookup_set(unsigned id, void *function)
{
    return real_function_set(id, *(capture_function *)&function);
}

void *lookup_make_thunk(unsigned id, void *function)
{
    return thunk_make(id, *(capture_function *)&function);
}

void lookup_record(unsigned apis)
{
    capture_api_mask = apis;
}
