/* SPDX-License-Identifier: MIT
 * Calls that need more than the generic replay, with one function each. `replay FUNCTION = NAME` in an
 * annotation file assigns handle_NAME() to a function. The generated list of names (replay_handlers.inc)
 * declares all handlers, so that a missing one is a link error.
 */
#ifndef RETRACE_HANDLERS_H
#define RETRACE_HANDLERS_H

#include "replayer.h"

#define REPLAY_HANDLER(name) int handle_##name(struct replayer *r, struct replay_call *c);
#include "replay_handlers.inc"
#undef REPLAY_HANDLER

#endif
