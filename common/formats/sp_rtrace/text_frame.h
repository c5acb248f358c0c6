/* SPDX-License-Identifier: MIT
 * Parses the resolved names in a line of a backtrace.
 */
#ifndef SP_RTRACE_TEXT_FRAME_H
#define SP_RTRACE_TEXT_FRAME_H

#include "trace/event.h"

/* Splits "FUNCTION at FILE:LINE" or "FUNCTION from MODULE" in place. Any part may be missing. The strings in
 * *frame are parts of place, which ends with a NUL. A function may be a C++ signature. */
void text_frame_split(struct trace_frame *frame, char *place);

#endif
