/* SPDX-License-Identifier: MIT
 * Where the pixels of a snapshot are: in the window, or in an attachment of the draw framebuffer.
 */
#ifndef RETRACE_SNAPSHOT_SOURCE_H
#define RETRACE_SNAPSHOT_SOURCE_H

#include "replayer.h"

enum snapshot_kind {
    SNAPSHOT_COLOR,
    SNAPSHOT_DEPTH,
    SNAPSHOT_STENCIL,
};

struct snapshot_source {
    enum snapshot_kind kind;
    GLint framebuffer; /* 0: the window */
    GLenum buffer;     /* argument for glReadBuffer(); GL_NONE: the context has no choice */
    GLint width, height;
    bool is_window;
    GLuint copy, copy_image; /* a framebuffer with the resolved samples, and its renderbuffer; 0: none */
};

/* Finds what is drawn to. output: of the shader, whose colours are meant; a window has only output 0. Samples
 * are resolved to a copy, which snapshot_source_fini() deletes. Errors: TRACE_ERR_UNSUPPORTED if there are no
 * such pixels. */
int snapshot_source_init(struct replayer *r, enum snapshot_kind kind, unsigned output,
                         struct snapshot_source *s);
void snapshot_source_fini(struct replayer *r, struct snapshot_source *s);

/* Returns how many outputs can be drawn to; at least 1. */
unsigned snapshot_output_count(struct replayer *r);

#endif
