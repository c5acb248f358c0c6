/* SPDX-License-Identifier: MIT */
#include "windows/glx_configs.h"

#include <GL/glx.h>

#include <limits.h>

#include "objects/replay_config.h"
#include "windows/buffer_distance.h"

static const int attributes[] = {GLX_DOUBLEBUFFER,
                                 GLX_STEREO,
                                 GLX_AUX_BUFFERS,
                                 GLX_RED_SIZE,
                                 GLX_GREEN_SIZE,
                                 GLX_BLUE_SIZE,
                                 GLX_ALPHA_SIZE,
                                 GLX_DEPTH_SIZE,
                                 GLX_STENCIL_SIZE,
                                 GLX_ACCUM_RED_SIZE,
                                 GLX_ACCUM_GREEN_SIZE,
                                 GLX_ACCUM_BLUE_SIZE,
                                 GLX_ACCUM_ALPHA_SIZE,
                                 GLX_SAMPLES,
                                 GLX_RENDER_TYPE,
                                 GLX_DRAWABLE_TYPE,
                                 0x20b2 /* GLX_FRAMEBUFFER_SRGB_CAPABLE_ARB */};
enum { ATTRIBUTE_COUNT = sizeof attributes / sizeof *attributes };

static struct buffer_config read_config(Display *display, GLXFBConfig config)
{
    struct buffer_config buffers = {0};
    for (unsigned i = 0; i < ATTRIBUTE_COUNT; ++i) {
        int value = 0;
        if (glXGetFBConfigAttrib(display, config, attributes[i], &value) == Success)
            replay_config_set_glx(&buffers, attributes[i], value);
    }
    return buffers;
}

unsigned glx_choose_configs(Display *display, const int *attribs, struct buffer_config *out, unsigned max)
{
    int count = 0;
    unsigned n = 0;
    int screen = DefaultScreen(display);
    GLXFBConfig *configs = attribs != NULL ? glXChooseFBConfig(display, screen, attribs, &count)
                                           : glXGetFBConfigs(display, screen, &count);
    for (; configs != NULL && n < max && (int)n < count; ++n)
        out[n] = read_config(display, configs[n]);
    if (configs != NULL)
        XFree(configs);
    return n;
}

bool glx_choose_visual(Display *display, const int *attribs, struct buffer_config *out)
{
    int list[64]; /* glXChooseVisual() takes no constant list */
    unsigned n = 0;
    while (n + 1 < sizeof list / sizeof *list && attribs[n] != None) {
        list[n] = attribs[n];
        ++n;
    }
    list[n] = None;
    XVisualInfo *visual = glXChooseVisual(display, DefaultScreen(display), list);
    if (visual == NULL)
        return false;
    *out = (struct buffer_config){0};
    for (unsigned i = 0; i < ATTRIBUTE_COUNT; ++i) {
        int value = 0;
        if (attributes[i] != GLX_RENDER_TYPE && attributes[i] != GLX_DRAWABLE_TYPE &&
            glXGetConfig(display, visual, attributes[i], &value) == Success)
            replay_config_set_glx(out, attributes[i], value);
    }
    XFree(visual);
    return true;
}

/* --- for windows, or pbuffers ------------------------------------------------------------------------ */

enum { TRANSPARENT_DEPTH = 32 };

static int drawable_bit(const struct buffer_config *wanted)
{
    return wanted->pbuffers_only ? GLX_PBUFFER_BIT : GLX_WINDOW_BIT;
}

static bool is_for(Display *display, GLXFBConfig config, int drawable)
{
    int drawables = 0, renders = 0;
    glXGetFBConfigAttrib(display, config, GLX_DRAWABLE_TYPE, &drawables);
    glXGetFBConfigAttrib(display, config, GLX_RENDER_TYPE, &renders);
    return (drawables & drawable) != 0 && (renders & GLX_RGBA_BIT) != 0;
}

/* Where two configurations are as good, that is better whose windows no compositor shows as transparent. A
 * configuration for pbuffers may have no visual. */
static bool find_visual(Display *display, GLXFBConfig config, bool may_be_transparent, bool may_lack,
                        XVisualInfo *out)
{
    XVisualInfo *visual = glXGetVisualFromFBConfig(display, config);
    bool is_good = visual != NULL ? may_be_transparent || visual->depth != TRANSPARENT_DEPTH : may_lack;
    if (is_good)
        *out = visual != NULL ? *visual : (XVisualInfo){.depth = 0};
    if (visual != NULL)
        XFree(visual);
    return is_good;
}

/* Configurations that have all that is wanted, or all that there are if none has. Mesa takes long to tell the
 * attributes of one. */
static GLXFBConfig *list_candidates(Display *display, const struct buffer_config *wanted, int *count)
{
    const int attribs[] = {GLX_DRAWABLE_TYPE,
                           drawable_bit(wanted),
                           GLX_RENDER_TYPE,
                           GLX_RGBA_BIT,
                           GLX_DOUBLEBUFFER,
                           !wanted->single_buffered,
                           GLX_STEREO,
                           wanted->stereo,
                           GLX_AUX_BUFFERS,
                           wanted->auxiliary,
                           GLX_RED_SIZE,
                           wanted->colour[0],
                           GLX_GREEN_SIZE,
                           wanted->colour[1],
                           GLX_BLUE_SIZE,
                           wanted->colour[2],
                           GLX_ALPHA_SIZE,
                           wanted->colour[3],
                           GLX_DEPTH_SIZE,
                           wanted->depth,
                           GLX_STENCIL_SIZE,
                           wanted->stencil,
                           GLX_ACCUM_RED_SIZE,
                           wanted->accumulation[0],
                           GLX_ACCUM_GREEN_SIZE,
                           wanted->accumulation[1],
                           GLX_ACCUM_BLUE_SIZE,
                           wanted->accumulation[2],
                           GLX_ACCUM_ALPHA_SIZE,
                           wanted->accumulation[3],
                           GLX_SAMPLES,
                           wanted->samples,
                           None};
    int screen = DefaultScreen(display);
    GLXFBConfig *configs = glXChooseFBConfig(display, screen, attribs, count);
    if (configs != NULL && *count > 0)
        return configs;
    if (configs != NULL)
        XFree(configs);
    return glXGetFBConfigs(display, screen, count);
}

bool glx_find_config(Display *display, const struct buffer_config *wanted, GLXFBConfig *out,
                     XVisualInfo *visual)
{
    int count = 0, best = INT_MAX;
    GLXFBConfig *configs = list_candidates(display, wanted, &count);
    for (int i = 0; i < count && configs != NULL; ++i) {
        if (best == 0 && visual->depth != TRANSPARENT_DEPTH)
            break;
        if (!is_for(display, configs[i], drawable_bit(wanted)))
            continue;
        struct buffer_config has = read_config(display, configs[i]);
        int now = buffer_distance(&has, wanted);
        if (now > best || (now == best && visual->depth != TRANSPARENT_DEPTH) ||
            !find_visual(display, configs[i], now < best, wanted->pbuffers_only, visual))
            continue;
        best = now;
        *out = configs[i];
    }
    if (configs != NULL)
        XFree(configs);
    return best < INT_MAX;
}
