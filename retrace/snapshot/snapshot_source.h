/* SPDX-License-Identifier: MIT
 * Where the pixels of a snapshot are: the window, or an attachment of the draw framebuffer.
 */
#ifndef RETRACE_SNAPSHOT_SOURCE_H
#define RETRACE_SNAPSHOT_SOURCE_H

#include "replayer.h"

struct snapshot_source {
    GLint framebuffer; /* 0: the window */
    GLenum buffer;     /* argument for glReadBuffer(); GL_NONE: the context has no choice */
    GLint width, height;
    bool is_window;
    GLuint copy, copy_image; /* a framebuffer with the resolved samples, and its renderbuffer; 0: none */
};

/* Finds what is drawn to. Samples are resolved to a copy, which snapshot_source_fini() deletes. Errors:
 * TRACE_ERR_UNSUPPORTED if there are no colours. */
int snapshot_source_init(struct replayer *r, struct snapshot_source *s);
void snapshot_source_fini(struct replayer *r, struct snapshot_source *s);

#endif
