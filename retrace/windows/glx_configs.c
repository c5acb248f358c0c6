/* SPDX-License-Identifier: MIT */
#include "windows/glx_configs.h"

#include <GL/glx.h>

#include "objects/replay_config.h"

static const int attributes[] = {GLX_DOUBLEBUFFER,     GLX_STEREO,
                                 GLX_AUX_BUFFERS,      GLX_RED_SIZE,
                                 GLX_GREEN_SIZE,       GLX_BLUE_SIZE,
                                 GLX_ALPHA_SIZE,       GLX_DEPTH_SIZE,
                                 GLX_STENCIL_SIZE,     GLX_ACCUM_RED_SIZE,
                                 GLX_ACCUM_GREEN_SIZE, GLX_ACCUM_BLUE_SIZE,
                                 GLX_ACCUM_ALPHA_SIZE, GLX_SAMPLES,
                                 GLX_RENDER_TYPE,      0x20b2 /* GLX_FRAMEBUFFER_SRGB_CAPABLE_ARB */};
enum { ATTRIBUTE_COUNT = sizeof attributes / sizeof *attributes };

unsigned glx_choose_configs(void *display, const int *attribs, struct buffer_config *out, unsigned max)
{
    int count = 0;
    unsigned n = 0;
    int screen = DefaultScreen((Display *)display);
    GLXFBConfig *configs = attribs != NULL ? glXChooseFBConfig(display, screen, attribs, &count)
                                           : glXGetFBConfigs(display, screen, &count);
    for (; configs != NULL && n < max && (int)n < count; ++n) {
        out[n] = (struct buffer_config){0};
        for (unsigned i = 0; i < ATTRIBUTE_COUNT; ++i) {
            int value = 0;
            if (glXGetFBConfigAttrib(display, configs[n], attributes[i], &value) == Success)
                replay_config_set_glx(&out[n], attributes[i], value);
        }
    }
    if (configs != NULL)
        XFree(configs);
    return n;
}

bool glx_choose_visual(void *display, const int *attribs, struct buffer_config *out)
{
    int list[64]; /* glXChooseVisual() takes no constant list */
    unsigned n = 0;
    while (n + 1 < sizeof list / sizeof *list && attribs[n] != None) {
        list[n] = attribs[n];
        ++n;
    }
    list[n] = None;
    XVisualInfo *visual = glXChooseVisual(display, DefaultScreen((Display *)display), list);
    if (visual == NULL)
        return false;
    *out = (struct buffer_config){0};
    for (unsigned i = 0; i < ATTRIBUTE_COUNT; ++i) {
        int value = 0;
        if (attributes[i] != GLX_RENDER_TYPE &&
            glXGetConfig(display, visual, attributes[i], &value) == Success)
            replay_config_set_glx(out, attributes[i], value);
    }
    XFree(visual);
    return true;
}
