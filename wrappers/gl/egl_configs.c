/* SPDX-License-Identifier: MIT
 * The buffers of EGL's configurations. A driver may give more than a program has asked for, and few programs
 * ask what they got. So before a context or a surface is made, the trace is told.
 */
#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "lookup/real_functions.h"

#include "spec_ids.h"

/* EGL 1.5, table 3.1 */
enum {
    EGL_BUFFER_ALPHA_SIZE = 0x3021,
    EGL_BUFFER_BLUE_SIZE = 0x3022,
    EGL_BUFFER_GREEN_SIZE = 0x3023,
    EGL_BUFFER_RED_SIZE = 0x3024,
    EGL_BUFFER_DEPTH_SIZE = 0x3025,
    EGL_BUFFER_STENCIL_SIZE = 0x3026,
    EGL_BUFFER_SAMPLES = 0x3031,
};

typedef uint32_t (*get_config_attrib)(void *display, void *config, int32_t attribute, int32_t *value);

/* (display, config, …). The driver checks both. Its error is lost, as the call that follows sets another. */
DEFINE_HOOK(use_egl_config)
{
    UNUSED_HOOK_ARGUMENTS;
    static const int32_t attributes[] = {
        EGL_BUFFER_RED_SIZE,   EGL_BUFFER_GREEN_SIZE,   EGL_BUFFER_BLUE_SIZE, EGL_BUFFER_ALPHA_SIZE,
        EGL_BUFFER_DEPTH_SIZE, EGL_BUFFER_STENCIL_SIZE, EGL_BUFFER_SAMPLES};
    if (args[1].p == NULL)
        return;
    get_config_attrib get = (get_config_attrib)real_function_find(SPEC_FN_eglGetConfigAttrib);
    for (unsigned i = 0; i < sizeof attributes / sizeof attributes[0]; ++i) {
        int32_t value = 0;
        const union spec_arg asked[4] = {args[0], args[1], {.i = attributes[i]}, spec_arg_ptr(&value)};
        const union spec_arg answer = {.u = get(args[0].p, args[1].p, attributes[i], &value) != 0};
        if (answer.u == 0)
            return;
        capture_fake_answer(t, SPEC_FN_eglGetConfigAttrib, asked, &answer);
    }
}
