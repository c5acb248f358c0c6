/* SPDX-License-Identifier: MIT */
#include "windows/egl_contexts.h"

#include <EGL/eglext.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "objects/replay_config.h"
#include "windows/buffer_distance.h"

enum { MAX_CONFIGS = 1024, MAX_ATTRIBS = 32 };

const char *egl_error_text(void)
{
    switch (eglGetError()) {
    case EGL_BAD_MATCH:
        return "the driver cannot combine these attributes";
    case EGL_BAD_ALLOC:
        return "out of memory";
    case EGL_BAD_CONFIG:
    case EGL_BAD_ATTRIBUTE:
        return "the driver does not have this configuration";
    case EGL_BAD_ACCESS:
        return "it is current in another thread";
    default:
        return "EGL failed";
    }
}

static bool has_extension(const char *extensions, const char *name)
{
    return extensions != NULL && strstr(extensions, name) != NULL;
}

void egl_screen_init(struct egl_screen *s, EGLDisplay display, EGLint surface_bit)
{
    const char *extensions = eglQueryString(display, EGL_EXTENSIONS);
    *s = (struct egl_screen){.display = display, .surface_bit = surface_bit};
    s->has_no_config = has_extension(extensions, "EGL_KHR_no_config_context") ||
                       has_extension(extensions, "EGL_MESA_configless_context");
    s->has_surfaceless = has_extension(extensions, "EGL_KHR_surfaceless_context");
    s->has_float = has_extension(extensions, "EGL_EXT_pixel_format_float");
    s->has_colorspace = has_extension(extensions, "EGL_KHR_gl_colorspace");
}

/* --- configurations --------------------------------------------------------------------------------- */

/* sRGB, a single buffer and the like belong to surfaces, not to configurations: they are as wanted. */
static int distance(const struct egl_screen *s, EGLConfig config, const struct buffer_config *wanted)
{
    static const EGLint names[] = {EGL_RED_SIZE,   EGL_GREEN_SIZE,   EGL_BLUE_SIZE, EGL_ALPHA_SIZE,
                                   EGL_DEPTH_SIZE, EGL_STENCIL_SIZE, EGL_SAMPLES};
    struct buffer_config has = *wanted;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        EGLint value = 0;
        eglGetConfigAttrib(s->display, config, names[i], &value);
        replay_config_set_egl(&has, names[i], value);
    }
    return buffer_distance(&has, wanted);
}

static EGLint renderable_bit(const struct context_config *config)
{
    if (config->api == CONTEXT_GL)
        return EGL_OPENGL_BIT;
    return config->major >= 3   ? EGL_OPENGL_ES3_BIT_KHR
           : config->major == 2 ? EGL_OPENGL_ES2_BIT
                                : EGL_OPENGL_ES_BIT;
}

/* Finds the configuration that is closest to what is wanted. Returns false if there is none. */
static bool find_config(const struct egl_screen *s, const struct context_config *wanted, bool is_float,
                        EGLConfig *out)
{
    const EGLint attribs[] = {EGL_SURFACE_TYPE,
                              s->surface_bit,
                              EGL_RENDERABLE_TYPE,
                              renderable_bit(wanted),
                              s->has_float ? EGL_COLOR_COMPONENT_TYPE_EXT : EGL_NONE,
                              is_float ? EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT
                                       : EGL_COLOR_COMPONENT_TYPE_FIXED_EXT,
                              EGL_NONE};
    EGLConfig configs[MAX_CONFIGS];
    EGLint count = 0;
    if (!eglChooseConfig(s->display, attribs, configs, MAX_CONFIGS, &count) || count == 0)
        return false;
    *out = configs[0];
    for (EGLint i = 1, best = distance(s, configs[0], &wanted->buffers); i < count; ++i) {
        int now = distance(s, configs[i], &wanted->buffers);
        if (now < best) {
            best = now;
            *out = configs[i];
        }
    }
    return true;
}

int egl_choose_config(const struct egl_screen *s, const struct context_config *wanted, EGLConfig *out)
{
    if ((s->has_float && wanted->buffers.is_float && find_config(s, wanted, true, out)) ||
        find_config(s, wanted, false, out))
        return 0;
    return trace_error_set(TRACE_ERR_IO, "the driver has no configuration for OpenGL%s",
                           wanted->api == CONTEXT_ES ? " ES of this version" : "");
}

/* --- contexts --------------------------------------------------------------------------------------- */

struct attrib_list {
    EGLint values[MAX_ATTRIBS];
    unsigned count;
};

static void add(struct attrib_list *list, EGLint name, EGLint value)
{
    list->values[list->count++] = name;
    list->values[list->count++] = value;
    list->values[list->count] = EGL_NONE;
}

static void list_context_attribs(struct attrib_list *list, const struct context_config *c)
{
    *list = (struct attrib_list){.values = {EGL_NONE}};
    if (c->major > 0) {
        add(list, EGL_CONTEXT_MAJOR_VERSION_KHR, c->major);
        add(list, EGL_CONTEXT_MINOR_VERSION_KHR, c->minor);
    }
    EGLint flags = (c->debug ? EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR : 0) |
                   (c->forward_compatible ? EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR : 0);
    if (c->robust && c->api == CONTEXT_GL)
        flags |= EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR;
    else if (c->robust)
        add(list, EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT, EGL_TRUE);
    if (flags != 0)
        add(list, EGL_CONTEXT_FLAGS_KHR, flags);
    if (c->profile != PROFILE_ANY)
        add(list, EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
            c->profile == PROFILE_CORE ? EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR
                                       : EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT_KHR);
    if (c->lose_on_reset)
        add(list,
            c->api == CONTEXT_GL ? EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_KHR
                                 : EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
            EGL_LOSE_CONTEXT_ON_RESET_KHR);
    if (c->no_error)
        add(list, EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE);
    if (c->release_without_flush)
        add(list, EGL_CONTEXT_RELEASE_BEHAVIOR_KHR, EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR);
}

EGLenum egl_api(const struct context_config *wanted)
{
    return wanted->api == CONTEXT_GL ? EGL_OPENGL_API : EGL_OPENGL_ES_API;
}

int egl_create_context(const struct egl_screen *s, EGLContext *out, const struct context_config *wanted,
                       EGLConfig config, EGLContext share)
{
    struct attrib_list list;
    list_context_attribs(&list, wanted);
    eglBindAPI(egl_api(wanted));
    *out = eglCreateContext(s->display, s->has_no_config ? EGL_NO_CONFIG_KHR : config, share, list.values);
    if (*out != EGL_NO_CONTEXT)
        return 0;
    return trace_error_set(TRACE_ERR_IO, "cannot create an OpenGL%s %d.%d context: %s",
                           wanted->api == CONTEXT_ES ? " ES" : "", wanted->major, wanted->minor,
                           egl_error_text());
}

/* --- pbuffers --------------------------------------------------------------------------------------- */

static EGLSurface try_pbuffer(const struct egl_screen *s, EGLConfig config, bool srgb, int width, int height)
{
    const EGLint attribs[] = {EGL_WIDTH,
                              width,
                              EGL_HEIGHT,
                              height,
                              srgb ? EGL_GL_COLORSPACE_KHR : EGL_NONE,
                              EGL_GL_COLORSPACE_SRGB_KHR,
                              EGL_NONE};
    return eglCreatePbufferSurface(s->display, config, attribs);
}

int egl_create_pbuffer(const struct egl_screen *s, EGLConfig config, bool srgb, int width, int height,
                       EGLSurface *out)
{
    *out = EGL_NO_SURFACE;
    if (srgb && s->has_colorspace)
        *out = try_pbuffer(s, config, true, width, height);
    if (*out == EGL_NO_SURFACE)
        *out = try_pbuffer(s, config, false, width, height);
    return *out != EGL_NO_SURFACE ? 0
                                  : trace_error_set(TRACE_ERR_IO, "cannot create a drawable of %dx%d: %s",
                                                    width, height, egl_error_text());
}
