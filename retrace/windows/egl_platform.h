/* SPDX-License-Identifier: MIT
 * Finds an EGL display that needs no display server: on a device of its own, or Mesa's "surfaceless"
 * platform.
 */
#ifndef RETRACE_EGL_PLATFORM_H
#define RETRACE_EGL_PLATFORM_H

#include <EGL/egl.h>
#include <stddef.h>

#include "windows/driver_choice.h"

/* Opens and initialises the best display that works: that of a GPU; Mesa's surfaceless platform, which also
 * has a software renderer; a software renderer as a device; EGL's default display. The caller terminates
 * *out. driver: what renders must be of this kind, as far as EGL tells. name: receives a name of the platform
 * for users. Errors: TRACE_ERR_IO if there is none. */
int egl_platform_open(EGLDisplay *out, enum driver_kind driver, char *name, size_t size);

#endif
