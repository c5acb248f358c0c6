/* SPDX-License-Identifier: MIT */
#include "lookup/recorded_functions.h"

#include "lookup/real_functions.h"
#include "lookup/thunks.h"
#include "process/capture_log.h"
#include "process/capture_process.h"

#include <stdatomic.h>
#include <string.h>

void *recorded_function_stub(const struct spec_function *f)
{
    capture_function stub = capture_stubs[f->id];
    return *(void **)&stub;
}

const struct spec_function *recorded_function_find(const char *name)
{
    if (name == NULL || (strncmp(name, "gl", 2) != 0 && strncmp(name, "egl", 3) != 0))
        return NULL;
    const struct spec_function *f = spec_find_function(name);
    bool recorded =
        f != NULL && (f->api & (SPEC_API_C | ~capture_api_mask)) == 0 && recorded_function_stub(f) != NULL;
    return recorded ? f : NULL;
}

void *recorded_function_wrap(const struct spec_function *f, void *real)
{
    static _Atomic bool said;
    if (thunk_is(real))
        return real;
    if (real == recorded_function_stub(f) || real_function_set(f->id, *(capture_function *)&real))
        return recorded_function_stub(f);
    void *thunk = thunk_make(f->id, *(capture_function *)&real);
    if (thunk == NULL && !atomic_exchange(&said, true))
        capture_log("%s is in several libraries: not all of its calls are recorded", spec_string(f->name));
    return thunk != NULL ? thunk : real;
}

void *recorded_name_wrap(const char *name, void *real)
{
    const struct spec_function *f = real != NULL ? recorded_function_find(name) : NULL;
    return f != NULL ? recorded_function_wrap(f, real) : real;
}
