/* SPDX-License-Identifier: MIT */
#include "egl_driver.h"

#include <EGL/eglext.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "egl_driver_gl.h"

struct egl_driver egl_driver;

static const struct driver_config default_configs[] = {
    {.red = 8, .depth = 24, .renderable = EGL_OPENGL_BIT | EGL_OPENGL_ES2_BIT},
    {.red = 8, .depth = 24, .samples = 4, .renderable = EGL_OPENGL_BIT},
};

static EGLDisplay const the_display = (EGLDisplay)(uintptr_t)0xd1;

void egl_driver_reset(void)
{
    egl_driver =
        (struct egl_driver){.client_extensions = "EGL_EXT_platform_base EGL_MESA_platform_surfaceless",
                            .display_extensions = "",
                            .device_extensions = "",
                            .version = "4.6 (Compatibility Profile)",
                            .configs = default_configs,
                            .config_count = 2,
                            .error = EGL_BAD_ALLOC};
}

void egl_driver_note(const char *format, ...)
{
    va_list args;
    size_t n = strlen(egl_driver.log);
    va_start(args, format);
    vsnprintf(egl_driver.log + n, sizeof egl_driver.log - n, format, args);
    va_end(args);
    assert_true(strlen(egl_driver.log) < sizeof egl_driver.log - 200);
}

const char *egl_driver_log(void)
{
    static char copy[sizeof egl_driver.log];
    memcpy(copy, egl_driver.log, sizeof copy);
    egl_driver.log[0] = '\0';
    return copy;
}

int egl_driver_objects(void)
{
    int count = 0;
    for (int i = 0; i < DRIVER_SURFACES; ++i)
        count += egl_driver.surfaces[i].exists;
    for (int i = 0; i < DRIVER_CONTEXTS; ++i)
        count += egl_driver.contexts[i].exists;
    return count;
}

static bool is_refused(void)
{
    return egl_driver.refuses > 0 && --egl_driver.refuses == 0;
}

/* --- handles ---------------------------------------------------------------------------------------- */

static struct driver_surface *surface_of(EGLSurface handle)
{
    uintptr_t i = (uintptr_t)handle - 0xb0;
    if (handle == EGL_NO_SURFACE)
        return NULL;
    assert_true(i < DRIVER_SURFACES && egl_driver.surfaces[i].exists);
    return &egl_driver.surfaces[i];
}

static struct driver_context *context_of(EGLContext handle)
{
    uintptr_t i = (uintptr_t)handle - 0xc0;
    if (handle == EGL_NO_CONTEXT)
        return NULL;
    assert_true(i < DRIVER_CONTEXTS && egl_driver.contexts[i].exists);
    return &egl_driver.contexts[i];
}

static const struct driver_config *config_of(EGLConfig handle)
{
    uintptr_t i = (uintptr_t)handle - 0xf0;
    assert_true(i < (uintptr_t)egl_driver.config_count);
    return &egl_driver.configs[i];
}

/* --- displays --------------------------------------------------------------------------------------- */

static EGLDisplay get_platform_display(EGLenum platform, void *native, const EGLint *attribs)
{
    assert_null(attribs);
    egl_driver_note("display 0x%x of %llx\n", platform, (unsigned long long)(uintptr_t)native);
    return egl_driver.refuses_displays ? EGL_NO_DISPLAY : the_display;
}

static EGLBoolean query_devices(EGLint most, EGLDeviceEXT *devices, EGLint *count)
{
    assert_true(most >= 2);
    devices[0] = (EGLDeviceEXT)(uintptr_t)0xa0;
    devices[1] = (EGLDeviceEXT)(uintptr_t)0xa1;
    *count = 2;
    return EGL_TRUE;
}

/* The first device renders in software. */
static const char *query_device_string(EGLDeviceEXT device, EGLint name)
{
    assert_int_equal(name, EGL_EXTENSIONS);
    return device == (EGLDeviceEXT)(uintptr_t)0xa0 ? "EGL_MESA_device_software"
                                                   : egl_driver.device_extensions;
}

EGLDisplay eglGetDisplay(EGLNativeDisplayType native)
{
    assert_true(native == EGL_DEFAULT_DISPLAY);
    egl_driver_note("default display\n");
    return egl_driver.refuses_displays ? EGL_NO_DISPLAY : the_display;
}

EGLBoolean eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor)
{
    assert_true(display == the_display && major == NULL && minor == NULL);
    egl_driver.displays++;
    return EGL_TRUE;
}

EGLBoolean eglTerminate(EGLDisplay display)
{
    assert_true(display == the_display && egl_driver.displays > 0);
    egl_driver.displays--;
    return EGL_TRUE;
}

const char *eglQueryString(EGLDisplay display, EGLint name)
{
    assert_int_equal(name, EGL_EXTENSIONS);
    return display == EGL_NO_DISPLAY ? egl_driver.client_extensions : egl_driver.display_extensions;
}

EGLint eglGetError(void)
{
    return egl_driver.error;
}

/* --- configurations --------------------------------------------------------------------------------- */

static EGLint attrib(const EGLint *list, EGLint name, EGLint fallback)
{
    for (; list != NULL && list[0] != EGL_NONE; list += 2)
        if (list[0] == name)
            return list[1];
    return fallback;
}

EGLBoolean eglChooseConfig(EGLDisplay display, const EGLint *attribs, EGLConfig *out, EGLint most,
                           EGLint *count)
{
    EGLint renderable = attrib(attribs, EGL_RENDERABLE_TYPE, 0);
    bool is_float = attrib(attribs, EGL_COLOR_COMPONENT_TYPE_EXT, EGL_COLOR_COMPONENT_TYPE_FIXED_EXT) ==
                    EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT;
    assert_true(display == the_display);
    assert_int_equal(attrib(attribs, EGL_SURFACE_TYPE, 0), EGL_PBUFFER_BIT);
    *count = 0;
    for (EGLint i = 0; i < egl_driver.config_count; ++i) {
        const struct driver_config *c = &egl_driver.configs[i];
        if ((c->renderable & renderable) != renderable || c->is_float != is_float)
            continue;
        if (out != NULL && *count < most)
            out[*count] = (EGLConfig)(uintptr_t)(0xf0 + i);
        ++*count;
    }
    return EGL_TRUE;
}

EGLBoolean eglGetConfigAttrib(EGLDisplay display, EGLConfig config, EGLint name, EGLint *value)
{
    const struct driver_config *c = config_of(config);
    assert_true(display == the_display);
    switch (name) {
    case EGL_DEPTH_SIZE:
        *value = c->depth;
        break;
    case EGL_STENCIL_SIZE:
        *value = c->depth > 0 ? 8 : 0;
        break;
    case EGL_SAMPLES:
        *value = c->samples;
        break;
    default:
        *value = c->red;
    }
    return EGL_TRUE;
}

/* --- contexts and surfaces -------------------------------------------------------------------------- */

EGLBoolean eglBindAPI(EGLenum api)
{
    egl_driver_note("API 0x%x\n", api);
    return EGL_TRUE;
}

EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share, const EGLint *attribs)
{
    int i = 0;
    assert_true(display == the_display);
    egl_driver_note("context of %llx, shares %llx:", (unsigned long long)(uintptr_t)config,
                    (unsigned long long)(uintptr_t)share);
    for (; attribs[0] != EGL_NONE; attribs += 2)
        egl_driver_note(" 0x%x=%d", (unsigned)attribs[0], (int)attribs[1]);
    egl_driver_note("\n");
    if (is_refused())
        return EGL_NO_CONTEXT;
    while (egl_driver.contexts[i].exists)
        ++i;
    assert_true(i < DRIVER_CONTEXTS);
    egl_driver.contexts[i] =
        (struct driver_context){.exists = true,
                                .state = {.draw_buffer = GL_FRONT,
                                          .colour_mask = {GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE},
                                          .colour_mask_1 = {GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE},
                                          .depth_mask = GL_TRUE,
                                          .stencil_mask = ~0u}};
    return (EGLContext)(uintptr_t)(0xc0 + i);
}

EGLBoolean eglDestroyContext(EGLDisplay display, EGLContext context)
{
    struct driver_context *c = context_of(context);
    assert_true(display == the_display && c != NULL);
    assert_ptr_not_equal(c, egl_driver.current);
    c->exists = false;
    return EGL_TRUE;
}

EGLSurface eglCreatePbufferSurface(EGLDisplay display, EGLConfig config, const EGLint *attribs)
{
    int i = 0;
    bool srgb = attrib(attribs, EGL_GL_COLORSPACE_KHR, 0) == EGL_GL_COLORSPACE_SRGB_KHR;
    assert_true(display == the_display);
    if ((srgb && egl_driver.refuses_srgb) || is_refused())
        return EGL_NO_SURFACE;
    while (egl_driver.surfaces[i].exists)
        ++i;
    assert_true(i < DRIVER_SURFACES);
    egl_driver.surfaces[i] = (struct driver_surface){.exists = true,
                                                     .config = config_of(config),
                                                     .width = attrib(attribs, EGL_WIDTH, 0),
                                                     .height = attrib(attribs, EGL_HEIGHT, 0),
                                                     .srgb = srgb,
                                                     .colour = DRIVER_UNKNOWN,
                                                     .depth = DRIVER_UNKNOWN,
                                                     .read_buffer = GL_FRONT};
    return (EGLSurface)(uintptr_t)(0xb0 + i);
}

/* It may be bound; then the driver would keep it for a while, but nobody may bind it again. */
EGLBoolean eglDestroySurface(EGLDisplay display, EGLSurface surface)
{
    struct driver_surface *s = surface_of(surface);
    assert_true(display == the_display && s != NULL);
    s->exists = false;
    return EGL_TRUE;
}

EGLBoolean eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
    assert_true(display == the_display);
    egl_driver_note("bind %llx %llx %llx\n", (unsigned long long)(uintptr_t)draw,
                    (unsigned long long)(uintptr_t)read, (unsigned long long)(uintptr_t)context);
    if (egl_driver.refuses_binding)
        return EGL_FALSE;
    egl_driver.draw = surface_of(draw);
    egl_driver.read = surface_of(read);
    egl_driver.current = context_of(context);
    return EGL_TRUE;
}

EGLBoolean eglSwapBuffers(EGLDisplay display, EGLSurface surface)
{
    assert_true(display == the_display && surface_of(surface) != NULL);
    egl_driver_note("swap %llx\n", (unsigned long long)(uintptr_t)surface);
    return EGL_TRUE;
}

void (*eglGetProcAddress(const char *name))(void)
{
    if (egl_driver.missing != NULL && strcmp(name, egl_driver.missing) == 0)
        return NULL;
    if (strcmp(name, "eglGetPlatformDisplayEXT") == 0)
        return (void (*)(void))get_platform_display;
    if (strcmp(name, "eglQueryDevicesEXT") == 0)
        return (void (*)(void))query_devices;
    if (strcmp(name, "eglQueryDeviceStringEXT") == 0)
        return (void (*)(void))query_device_string;
    return egl_driver_find_gl(name);
}
