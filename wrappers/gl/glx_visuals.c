/* SPDX-License-Identifier: MIT
 * The buffers of GLX's visuals and framebuffer configurations, as egl_configs.c tells those of EGL: before a
 * context or a drawable is made.
 */
#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "lookup/real_functions.h"
#include "lookup/x_windows.h"
#include "memory/program_memory.h"

#include "spec_ids.h"

/* GLX 1.4, table 3.1, in the order in which they are told */
static const int32_t attributes[] = {
    5,      /* GLX_DOUBLEBUFFER */
    8,      /* GLX_RED_SIZE */
    9,      /* GLX_GREEN_SIZE */
    10,     /* GLX_BLUE_SIZE */
    11,     /* GLX_ALPHA_SIZE */
    12,     /* GLX_DEPTH_SIZE */
    13,     /* GLX_STENCIL_SIZE */
    14,     /* GLX_ACCUM_RED_SIZE */
    15,     /* GLX_ACCUM_GREEN_SIZE */
    16,     /* GLX_ACCUM_BLUE_SIZE */
    17,     /* GLX_ACCUM_ALPHA_SIZE */
    100001, /* GLX_SAMPLES */
};

typedef int32_t (*get_attribute)(void *display, void *config, int32_t attribute, int32_t *value);

/* function: glXGetConfig or glXGetFBConfigAttrib */
static void tell(struct capture_thread *t, uint32_t function, const union spec_arg *args)
{
    get_attribute get = (get_attribute)real_function_find(function);
    for (unsigned i = 0; i < sizeof attributes / sizeof attributes[0]; ++i) {
        int32_t value = 0;
        const union spec_arg asked[4] = {args[0], args[1], {.i = attributes[i]}, spec_arg_ptr(&value)};
        const union spec_arg answer = {.i = get(args[0].p, args[1].p, attributes[i], &value)};
        if (answer.i == 0)
            capture_fake_answer(t, function, asked, &answer);
    }
}

/* An X error would follow the question about a configuration that the display does not have. */
static bool is_of_display(void *display, const void *config)
{
    typedef void **(*get_configs)(void *, int32_t, int32_t *);
    int32_t count = 0;
    bool found = false;
    void **configs = ((get_configs)real_function_find(SPEC_FN_glXGetFBConfigs))(display, 0, &count);
    for (int32_t i = 0; configs != NULL && i < count && !found; ++i)
        found = configs[i] == config;
    x_free(configs);
    return found;
}

/* (display, configuration, …) */
DEFINE_HOOK(use_glx_config)
{
    UNUSED_HOOK_ARGUMENTS;
    if (args[0].p != NULL && args[1].p != NULL && is_of_display(args[0].p, args[1].p))
        tell(t, SPEC_FN_glXGetFBConfigAttrib, args);
}

/* (display, visual, …) */
DEFINE_HOOK(use_glx_visual)
{
    UNUSED_HOOK_ARGUMENTS;
    const uint64_t visual_size = 40; /* at least */
    if (args[0].p != NULL && program_memory_readable(args[1].p, visual_size))
        tell(t, SPEC_FN_glXGetConfig, args);
}
