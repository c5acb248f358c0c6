/* SPDX-License-Identifier: MIT */
#include "windows/glfw_hints.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

void glfw_hint_buffers(const struct buffer_config *b)
{
    glfwWindowHint(GLFW_RED_BITS, b->colour[0]);
    glfwWindowHint(GLFW_GREEN_BITS, b->colour[1]);
    glfwWindowHint(GLFW_BLUE_BITS, b->colour[2]);
    glfwWindowHint(GLFW_ALPHA_BITS, b->colour[3]);
    glfwWindowHint(GLFW_DEPTH_BITS, b->depth);
    glfwWindowHint(GLFW_STENCIL_BITS, b->stencil);
    glfwWindowHint(GLFW_ACCUM_RED_BITS, b->accumulation[0]);
    glfwWindowHint(GLFW_ACCUM_GREEN_BITS, b->accumulation[1]);
    glfwWindowHint(GLFW_ACCUM_BLUE_BITS, b->accumulation[2]);
    glfwWindowHint(GLFW_ACCUM_ALPHA_BITS, b->accumulation[3]);
    glfwWindowHint(GLFW_SAMPLES, b->samples);
    glfwWindowHint(GLFW_AUX_BUFFERS, b->auxiliary);
    glfwWindowHint(GLFW_SRGB_CAPABLE, b->srgb);
    glfwWindowHint(GLFW_STEREO, b->stereo);
    glfwWindowHint(GLFW_DOUBLEBUFFER, !b->single_buffered);
}

void glfw_hint_window(const struct context_config *config)
{
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
    glfw_hint_buffers(&config->buffers);
    glfwWindowHint(GLFW_CLIENT_API, config->api == CONTEXT_ES ? GLFW_OPENGL_ES_API : GLFW_OPENGL_API);
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, config->major > 0 ? config->major : 1);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, config->major > 0 ? config->minor : 0);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, config->debug);
    if (config->robust || config->lose_on_reset)
        glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS,
                       config->lose_on_reset ? GLFW_LOSE_CONTEXT_ON_RESET : GLFW_NO_RESET_NOTIFICATION);
    glfwWindowHint(GLFW_CONTEXT_NO_ERROR, config->no_error);
    if (config->release_without_flush)
        glfwWindowHint(GLFW_CONTEXT_RELEASE_BEHAVIOR, GLFW_RELEASE_BEHAVIOR_NONE);
    if (config->api == CONTEXT_GL && (config->major > 3 || (config->major == 3 && config->minor >= 2))) {
        static const int profiles[] = {GLFW_OPENGL_ANY_PROFILE, GLFW_OPENGL_CORE_PROFILE,
                                       GLFW_OPENGL_COMPAT_PROFILE};
        glfwWindowHint(GLFW_OPENGL_PROFILE, profiles[config->profile]);
    }
    if (config->api == CONTEXT_GL && config->major >= 3)
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, config->forward_compatible);
}
