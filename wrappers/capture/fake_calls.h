/* SPDX-License-Identifier: MIT
 * Fake calls: calls that the program did not make, recorded so that the trace has what a replay needs.
 */
#ifndef CAPTURE_FAKE_CALLS_H
#define CAPTURE_FAKE_CALLS_H

#include "capture/record_payloads.h"

/* Records the call as entered and left, with the flag RECORD_FAKE. A function that returns something returns
 * 0. */
void capture_fake_call(struct capture_thread *t, uint32_t id, const union spec_arg *args);

/* The same, with other memory in place of what one of the arguments points at. */
void capture_fake_call_with(struct capture_thread *t, uint32_t id, const union spec_arg *args,
                            const struct capture_override *memory);

#endif
