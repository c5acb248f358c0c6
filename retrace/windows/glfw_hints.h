/* SPDX-License-Identifier: MIT
 * Tells GLFW what the next window, and the context that belongs to it, should be like.
 */
#ifndef RETRACE_GLFW_HINTS_H
#define RETRACE_GLFW_HINTS_H

#include "windows/window_system.h"

/* The window is invisible at first. */
void glfw_hint_window(const struct context_config *config);

/* Replaces the buffers of an earlier hint. */
void glfw_hint_buffers(const struct buffer_config *buffers);

#endif
