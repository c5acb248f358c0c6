/* SPDX-License-Identifier: MIT
 * Shaders that only state dumps need: those show the sources of what is attached to a program. A program that
 * was made from sources has none, and others lose theirs, by glDetachShader(), after they were linked. They
 * get shaders with these sources, which are not linked.
 */
#ifndef RETRACE_KEPT_SHADERS_H
#define RETRACE_KEPT_SHADERS_H

#include "replayer.h"

/* Returns false if there are no dumps, or the program's questions are asked again, too. */
bool kept_shaders_needed(const struct replayer *r);

/* Gives a program of the driver a shader. The sources end with 0. */
void kept_shaders_add(struct replayer *r, GLuint program, GLenum type, GLsizei count,
                      const GLchar *const *sources);

/* Returns the source of a shader, to be freed, if it is attached to a program that was linked; otherwise, or
 * without memory, NULL. *type: its kind. */
GLchar *kept_shaders_source(struct replayer *r, GLuint program, GLuint shader, GLenum *type);

/* Takes these shaders away from a program before others are attached or linked. */
void kept_shaders_drop(struct replayer *r, GLuint program);

/* A new shader has a name that an earlier one may have had. */
void kept_shaders_forget(struct replayer *r, GLuint shader);

#endif
