/* SPDX-License-Identifier: MIT
 * The steps of an ordinary call, for handlers that add something to it.
 */
#ifndef RETRACE_REPLAY_INVOKE_H
#define RETRACE_REPLAY_INVOKE_H

#include "replayer.h"

/* Calls the driver with c->args, and stores the names of objects that the call has created. Errors:
 * TRACE_ERR_UNSUPPORTED if the driver does not have the function. */
int replay_invoke(struct replayer *r, struct replay_call *c);
/* Does the same, but does not compare answers. */
int replay_invoke_unchecked(struct replayer *r, struct replay_call *c);

/* Makes a plain call of the driver's fn, with packed arguments. Errors: TRACE_ERR_UNSUPPORTED, as above. */
int replay_invoke_plain(struct replayer *r, struct replay_function *fn, const void *args);

/* Fills c->args from the trace, then does the same. Errors: also those of replay_decode_args(). */
int replay_generic(struct replayer *r, struct replay_call *c);

#endif
