/* SPDX-License-Identifier: MIT
 * Conditional rendering: between glBeginConditionalRender() and glEndConditionalRender(), clears and copies
 * have no effect if the query says so (OpenGL 4.6, 10.9). The replayer's own must always have theirs.
 */
#ifndef RETRACE_CONDITIONAL_RENDER_H
#define RETRACE_CONDITIONAL_RENDER_H

#include "replayer.h"

/* The program begins it with this query of the driver, or ends it, outside of lists that are only compiled.
 */
void conditional_render_begin(struct replayer *r, GLuint query, GLenum mode);
void conditional_render_end(struct replayer *r);

/* The program begins a query of the driver. If that is the condition's, whose old result counts, it cannot be
 * begun a second time: it is not paused any more. */
void conditional_render_begin_query(struct replayer *r, GLuint query);

/* What is between the two is not conditional. A context must be current. Returns true if the second must be
 * called. They keep the program's errors, and cause none. */
bool conditional_render_pause(struct replayer *r);
void conditional_render_resume(struct replayer *r);

#endif
