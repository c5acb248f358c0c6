/* SPDX-License-Identifier: MIT
 * Chooses the OpenGL driver of --driver. Drivers are chosen by environment variables, of Mesa and of the
 * vendor-neutral dispatch library, which must be set before anything of OpenGL is used.
 */
#ifndef RETRACE_DRIVER_CHOICE_H
#define RETRACE_DRIVER_CHOICE_H

#include <stdbool.h>

enum driver_kind {
    DRIVER_ANY,
    DRIVER_HARDWARE, /* a GPU or nothing */
    DRIVER_SOFTWARE, /* a renderer in software or nothing */
};

/* Makes the driver with this name the one to be used: hw, dgpu, igpu, sw, ref, null, a vendor ("mesa",
 * "nvidia"), or a driver of Mesa's. *out becomes what kind of driver it must be. Errors: TRACE_ERR_USAGE
 * if there is none with this name. */
int driver_choose(const char *name, enum driver_kind *out);

/* Returns true if the GL_RENDERER string is that of a renderer in software. */
bool driver_is_software(const char *renderer);

#endif
