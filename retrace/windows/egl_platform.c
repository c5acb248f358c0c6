/* SPDX-License-Identifier: MIT */
#include "windows/egl_platform.h"

#include <EGL/eglext.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MAX_DEVICES = 32 };

/* The functions of EGL_EXT_platform_base and EGL_EXT_device_enumeration; NULL if EGL does not have them. */
struct platform_functions {
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display;
    PFNEGLQUERYDEVICESEXTPROC query_devices;
    PFNEGLQUERYDEVICESTRINGEXTPROC query_device_string;
};

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; at != NULL && (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static struct platform_functions load(void)
{
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    struct platform_functions f = {0};
    if (has_word(extensions, "EGL_EXT_platform_base"))
        f.get_display = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    if (has_word(extensions, "EGL_EXT_platform_device")) {
        f.query_devices = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
        f.query_device_string = (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    }
    return f;
}

/* A display is of use if it has off-screen buffers. */
static bool initialise(EGLDisplay display)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLint count = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return false;
    if (eglChooseConfig(display, wanted, NULL, 0, &count) && count > 0)
        return true;
    eglTerminate(display);
    return false;
}

static bool is_software(const struct platform_functions *f, EGLDeviceEXT device)
{
    return f->query_device_string != NULL &&
           has_word(f->query_device_string(device, EGL_EXTENSIONS), "EGL_MESA_device_software");
}

/* Tries the devices that are renderers in software, or those that are not. */
static bool open_device(const struct platform_functions *f, bool software, EGLDisplay *out, char *name,
                        size_t size)
{
    EGLDeviceEXT devices[MAX_DEVICES];
    EGLint count = 0;
    if (f->get_display == NULL || f->query_devices == NULL || !f->query_devices(MAX_DEVICES, devices, &count))
        return false;
    for (EGLint i = 0; i < count; ++i) {
        if (is_software(f, devices[i]) != software)
            continue;
        *out = f->get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
        if (initialise(*out)) {
            snprintf(name, size, "EGL device %d", (int)i);
            return true;
        }
    }
    return false;
}

static bool open_surfaceless(const struct platform_functions *f, EGLDisplay *out, char *name, size_t size)
{
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (f->get_display == NULL || !has_word(extensions, "EGL_MESA_platform_surfaceless"))
        return false;
    *out = f->get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    snprintf(name, size, "EGL surfaceless");
    return initialise(*out);
}

static bool open_default(EGLDisplay *out, char *name, size_t size)
{
    *out = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    snprintf(name, size, "EGL default display");
    return initialise(*out);
}

/* Mesa's switch for a software renderer. */
static bool wants_software(void)
{
    const char *setting = getenv("LIBGL_ALWAYS_SOFTWARE");
    return setting != NULL && strcmp(setting, "0") != 0 && strcmp(setting, "false") != 0;
}

int egl_platform_open(EGLDisplay *out, enum driver_kind driver, char *name, size_t size)
{
    struct platform_functions f = load();
    bool software = driver == DRIVER_SOFTWARE || (driver == DRIVER_ANY && wants_software());
    if (!software && open_device(&f, false, out, name, size))
        return 0;
    if (driver == DRIVER_HARDWARE)
        return trace_error_set(TRACE_ERR_IO, "EGL has no GPU that works without a display server");
    if (open_surfaceless(&f, out, name, size) || open_device(&f, true, out, name, size) ||
        open_default(out, name, size))
        return 0;
    return trace_error_set(TRACE_ERR_IO, "EGL has no platform that works without a display server");
}
