/* SPDX-License-Identifier: MIT */
#ifndef GL_GL_ARRAY_QUERIES_H
#define GL_GL_ARRAY_QUERIES_H

#include "capture/capture_thread.h"

/* Runs before glGet*(pname). */
void gl_array_queries_prepare(struct capture_thread *t, uint32_t pname);

#endif
