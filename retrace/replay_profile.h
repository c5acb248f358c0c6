/* SPDX-License-Identifier: MIT
 * Tells the profile (profile/profile.h) what is replayed. Functions are watched when they are looked up, and
 * the driver's functions are timed where they are called, so that a replay without a profile pays nothing.
 */
#ifndef RETRACE_REPLAY_PROFILE_H
#define RETRACE_REPLAY_PROFILE_H

#include "replayer.h"

/* Opens a profile if the options ask for one. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int replay_profile_begin(struct replayer *r);
/* Completes it, and prints what is left. A context may still be current. Errors: TRACE_ERR_IO. */
int replay_profile_finish(struct replayer *r);

/* Call it when the function's handler is known. Replaces the handler by one that measures. */
void replay_profile_watch(struct replay_function *fn);

/* Calls the driver's function, and measures it. r->profile must not be NULL. */
void replay_profile_invoke(struct replayer *r, struct replay_call *c);

/* Asks the driver what it can measure, before the first call in the current context. With --list-metrics,
 * prints that, and ends the replay. Does nothing in further contexts. r->profile must not be NULL. */
void replay_profile_enter(struct replayer *r);

/* Call them when a frame has ended, and before the current context changes or goes. They do nothing unless
 * there is a profile. */
void replay_profile_end_frame(struct replayer *r, const struct trace_call *call);
void replay_profile_leave_context(struct replayer *r);

#endif
