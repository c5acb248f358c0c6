/* SPDX-License-Identifier: MIT
 * The GL state on which the sizes of arguments depend. It is asked from the driver, but only after a call
 * that may have changed it, and only when a size is needed.
 */
#ifndef RETRACE_REPLAY_STATE_H
#define RETRACE_REPLAY_STATE_H

#include "replayer.h"

/* The current context's state, brought up to date. A context must be current. */
const struct spec_state *replay_state_get(struct replayer *r);

/* The integer behind pname; fallback when the driver does not know it. Errors that this causes are cleared.
 */
GLint replay_get_integer(struct replayer *r, GLenum pname, GLint fallback);

/* Removes pending GL errors. */
void replay_clear_errors(struct replayer *r);

#endif
