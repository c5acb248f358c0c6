/* SPDX-License-Identifier: MIT
 * The names in a line of a backtrace: what a resolver found for its address.
 */
#ifndef SP_RTRACE_TEXT_FRAME_H
#define SP_RTRACE_TEXT_FRAME_H

#include "trace/event.h"

/* Splits "FUNCTION at FILE:LINE" or "FUNCTION from MODULE", of which any part may be missing, in place: the
 * names in *frame are parts of place, which ends with a NUL. A function may be a signature of C++. */
void text_frame_split(struct trace_frame *frame, char *place);

#endif
