/* SPDX-License-Identifier: MIT
 * Asks GLX what a program gets that chooses a configuration: drivers give more than what was asked for.
 */
#ifndef RETRACE_GLX_CONFIGS_H
#define RETRACE_GLX_CONFIGS_H

#include "windows/window_system.h"

/* These are the functions choose_configs() and choose_visual() of a window system on this display, an X11
 * `Display *`. */
unsigned glx_choose_configs(void *display, const int *attribs, struct buffer_config *out, unsigned max);
bool glx_choose_visual(void *display, const int *attribs, struct buffer_config *out);

#endif
