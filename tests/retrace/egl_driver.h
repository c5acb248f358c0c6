/* SPDX-License-Identifier: MIT
 * EGL and the OpenGL functions that the window system without a display server calls. Contexts and pbuffers
 * are small models: what a pbuffer shows is one number, its depth another. Programs that link it do not link
 * libEGL.
 */
#ifndef TESTS_EGL_DRIVER_H
#define TESTS_EGL_DRIVER_H

#include <EGL/egl.h>
#include <GL/gl.h>
#include <stdbool.h>
#include <stddef.h>

struct driver_config {
    EGLint red, depth, samples; /* green, blue and alpha are as red; stencil is 8 with depth */
    EGLint renderable;          /* EGL_OPENGL_BIT and the like */
    bool is_float;
};

struct driver_surface {
    bool exists;
    const struct driver_config *config;
    int width, height;
    bool srgb;
    int colour, depth;
    GLenum read_buffer; /* as in Mesa, which keeps it here */
};

/* State that copies must leave as it is. */
struct driver_state {
    GLenum draw_buffer;
    int output; /* that draws to it */
    GLuint draw_framebuffer, read_framebuffer;
    bool scissor, discard, srgb;
    bool scissor_1; /* of the second viewport */
    GLboolean colour_mask[4], depth_mask;
    GLboolean colour_mask_1[4]; /* of the second output */
    GLuint stencil_mask;
    GLfloat clear_colour[4];
};

struct driver_context {
    bool exists;
    struct driver_state state;
};

enum { DRIVER_SURFACES = 16, DRIVER_CONTEXTS = 8 };

/* The colour and the depth of a new pbuffer. */
enum { DRIVER_UNKNOWN = 0xbad };

struct egl_driver {
    const char *client_extensions, *display_extensions, *device_extensions;
    const char *version;                 /* GL_VERSION of all contexts */
    const struct driver_config *configs; /* the first is at 0 */
    EGLint config_count;
    const char *missing; /* a function that it does not have */
    unsigned refuses;    /* the number of the next pbuffer or context to be refused; 0: none */
    bool refuses_srgb, refuses_binding, refuses_displays;
    EGLint error;

    char log[4096];                                  /* a line for each call that does something */
    struct driver_surface surfaces[DRIVER_SURFACES]; /* handles are 0xb0, 0xb1, … */
    struct driver_context contexts[DRIVER_CONTEXTS]; /* handles are 0xc0, 0xc1, … */
    struct driver_surface *draw, *read;
    struct driver_context *current;
    int displays;
};

extern struct egl_driver egl_driver;

/* OpenGL 4.6 with two configurations, and no extensions. */
void egl_driver_reset(void);

/* Clears the log, and returns what it had. The text is valid until the next call. */
const char *egl_driver_log(void);

/* How many contexts and pbuffers exist. */
int egl_driver_objects(void);

/* The program draws: to what is bound and selected. */
void egl_driver_draw(int colour, int depth);

#endif
