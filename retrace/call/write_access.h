/* SPDX-License-Identifier: MIT
 * Lets clears and copies reach all pixels of a framebuffer, whatever the program has set. What each function
 * changes, another one restores. None of them causes an error.
 */
#ifndef RETRACE_WRITE_ACCESS_H
#define RETRACE_WRITE_ACCESS_H

#include <stdbool.h>

#include "call/gl_functions.h"

/* The current context. */
struct gl_access {
    const struct gl_functions *gl;
    bool is_es;
    int version; /* 10 * major + minor */
};

/* Reads a version "4.5 (…", "OpenGL ES 3.2 …" or "OpenGL ES-CM 1.1"; NULL: 1.1. Leaves *version as it is if
 * it cannot be read. */
void gl_version_parse(const char *text, bool *is_es, int *version);

/* Tests and modes that hinder writes. */
enum { HINDRANCES = 3 };
struct hindrances {
    bool enabled[HINDRANCES];
};

/* for_copy: lifts what only concerns copies, too. */
void hindrances_lift(const struct gl_access *a, struct hindrances *h, bool for_copy);
void hindrances_restore(const struct gl_access *a, const struct hindrances *h);

/* The masks of the first colour output, of depth, and of stencil of front faces, which clears heed. Masks of
 * other outputs stay as they are. */
struct write_masks {
    GLint colours[4], depth, stencil;
};

void write_masks_open(const struct gl_access *a, struct write_masks *old);
void write_masks_restore(const struct gl_access *a, const struct write_masks *old);

/* Clears and copies heed the scissor test of the first viewport only. Those of the others stay. */
void scissor_enable(const struct gl_access *a, bool enabled);
void scissor_set(const struct gl_access *a, int x, int y, int width, int height);

/* A selection of buffers that was replaced. */
enum { SELECTED_OUTPUTS = 8 }; /* the least GL_MAX_DRAW_BUFFERS of versions that have framebuffer objects */
struct buffer_selection {
    GLenum buffers[SELECTED_OUTPUTS];
    int count; /* 0: it was not replaced */
};

/* Select the only buffer that is drawn to, or that is read. Where the program draws only with a later output,
 * this stays so. OpenGL ES has no choice but between the only buffer of a window and none, which is replaced.
 */
void draw_buffer_select(const struct gl_access *a, GLenum buffer, struct buffer_selection *old);
void read_buffer_select(const struct gl_access *a, GLenum buffer, struct buffer_selection *old);

void draw_buffer_restore(const struct gl_access *a, const struct buffer_selection *old);
void read_buffer_restore(const struct gl_access *a, const struct buffer_selection *old);

#endif
