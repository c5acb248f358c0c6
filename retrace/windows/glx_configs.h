/* SPDX-License-Identifier: MIT
 * Configurations of GLX: those that a program gets, since drivers give more than what was asked for, and
 * those of windows and pbuffers.
 */
#ifndef RETRACE_GLX_CONFIGS_H
#define RETRACE_GLX_CONFIGS_H

#include <GL/glx.h>

#include "windows/window_system.h"

/* These are the functions choose_configs() and choose_visual() of a window system on this display. */
unsigned glx_choose_configs(Display *display, const int *attribs, struct buffer_config *out, unsigned max);
bool glx_choose_visual(Display *display, const int *attribs, struct buffer_config *out);

/* Finds the configuration that is closest to what is wanted: one for windows, and its visual; if
 * wanted->pbuffers_only, one for pbuffers, with visual->depth 0 if it has no visual. Returns false if there
 * is none. */
bool glx_find_config(Display *display, const struct buffer_config *wanted, GLXFBConfig *out,
                     XVisualInfo *visual);

#endif
