/* SPDX-License-Identifier: MIT
 * The configurations (GLX's framebuffer configurations and visuals, EGL's configurations) of the trace, as
 * far as it tells what their buffers are: what the program asked for, and what it was told.
 */
#ifndef RETRACE_REPLAY_CONFIG_H
#define RETRACE_REPLAY_CONFIG_H

#include "base/hash_map.h"
#include "trace/model.h"
#include "windows/window_system.h"

/* Maps traced handles, and the numbers of visuals, to configurations. Zero-initialise it before use. */
struct replay_configs {
    struct int_map items;
};

void replay_configs_fini(struct replay_configs *c);

/* Returns the configuration with this handle, or NULL if nothing is known about it. */
const struct buffer_config *replay_configs_find(const struct replay_configs *c, uint64_t handle);

/* Notes what is known about a handle. */
int replay_configs_set(struct replay_configs *c, uint64_t handle, const struct buffer_config *config);

/* A visual is known by its number. Returns a handle for it, which is 0 if v is no XVisualInfo. */
uint64_t replay_visual_handle(const struct trace_value *v);

/* What a program gets that asks for these attributes: a list as for glXChooseFBConfig(), for
 * glXChooseVisual(), where some attributes have no value, or for eglChooseConfig(). */
struct buffer_config replay_config_for_glx(const struct trace_value *attribs);
struct buffer_config replay_config_for_visual(const struct trace_value *attribs);
struct buffer_config replay_config_for_egl(const struct trace_value *attribs);

/* Notes the value of an attribute, as the program was told. Others are ignored. */
void replay_config_set_glx(struct buffer_config *config, int64_t attribute, int64_t value);
void replay_config_set_egl(struct buffer_config *config, int64_t attribute, int64_t value);

#endif
