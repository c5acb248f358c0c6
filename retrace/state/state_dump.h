/* SPDX-License-Identifier: MIT
 * State dumps (-D): the state of the current context after chosen calls, with the keys of apitrace's dumps.
 */
#ifndef RETRACE_STATE_DUMP_H
#define RETRACE_STATE_DUMP_H

#include "replayer.h"

/* Dumps the state if the call that has just been replayed was chosen, or an earlier one after which that was
 * not possible: without a context, between glBegin and glEnd, or in a display list. Errors: TRACE_ERR_IO if
 * the dump cannot be written; TRACE_ERR_MEMORY. */
int state_dump_after(struct replayer *r, const struct trace_call *call);

/* Returns true if all dumps are made, so that the replay may end. */
bool state_dump_is_complete(const struct replayer *r);

/* Call it at the end of a replay. Errors: TRACE_ERR_UNSUPPORTED if no dump could be made. */
int state_dump_finish(const struct replayer *r);

#endif
