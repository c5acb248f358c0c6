/* SPDX-License-Identifier: MIT
 * Calls that need more than decoding, calling and learning names: one function each.
 * `replay FUNCTION = NAME` in an annotation file sends a function to handle_NAME(); the generated list of
 * names (replay_handlers.inc) declares them all, so that a name without a function does not link.
 */
#ifndef RETRACE_HANDLERS_H
#define RETRACE_HANDLERS_H

#include "replayer.h"

#define REPLAY_HANDLER(name) int handle_##name(struct replayer *r, struct replay_call *c);
#include "replay_handlers.inc"
#undef REPLAY_HANDLER

#endif
