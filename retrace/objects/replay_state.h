/* SPDX-License-Identifier: MIT
 * The GL state on which the sizes of arguments depend. It is queried from the driver, but only after a call
 * that may have changed it, and only when a size is needed.
 */
#ifndef RETRACE_REPLAY_STATE_H
#define RETRACE_REPLAY_STATE_H

#include "call/write_access.h"
#include "replayer.h"

/* Returns what answers when a length depends on what only the driver knows, for the objects of the replay. It
 * keeps the errors of the program. Borrowed: r must not move. */
const struct spec_driver *replay_state_driver(struct replayer *r);

/* Returns the up-to-date state of the current context. A context must be current. */
const struct spec_state *replay_state_get(struct replayer *r);

/* Notes that a buffer, or none, is bound to this target. Others than those that lengths depend on are
 * ignored. */
void replay_state_bind_buffer(struct replay_context *context, GLenum target, bool is_bound);
/* Returns true if pixels may be packed into a buffer that is bound to the context. */
bool replay_state_may_pack(const struct replay_context *context);

/* For clears and copies in the current context. Borrowed: r must not move. */
struct gl_access replay_gl_access(const struct replayer *r);

/* Returns the integer for pname, or fallback if the driver does not have it. Clears errors that this causes.
 */
GLint replay_get_integer(struct replayer *r, GLenum pname, GLint fallback);

/* An object that another context has deleted stays bound, but its name is gone: once something else is bound,
 * it cannot be bound again, and binding the name would create another object (OpenGL 4.6, section 5.1.3).
 * These return true if `name` is 0, or is still that of an object. */
bool replay_can_bind_texture(const struct replayer *r, GLint name);
bool replay_can_bind_renderbuffer(const struct replayer *r, GLint name);
bool replay_can_bind_buffer(const struct replayer *r, GLint name);

/* Returns the name of the framebuffer object that the current context draws to; 0: it draws to the window. */
GLint replay_draw_framebuffer(struct replayer *r);

/* Notes errors that the program has caused, before the replayer asks for its own. */
void replay_keep_error(struct replayer *r);
/* Returns true if the current call has caused an error, and notes it. There must not have been one before. */
bool replay_keep_call_error(struct replayer *r);
/* Returns the result of glGetError() that the program would get, and clears the error. */
GLenum replay_take_error(struct replayer *r);

/* Clears pending GL errors that the replayer has caused. */
void replay_clear_errors(struct replayer *r);

#endif
