/* SPDX-License-Identifier: MIT
 * Fake calls: calls that the program did not make. They are recorded because a replay needs them.
 */
#ifndef CAPTURE_FAKE_CALLS_H
#define CAPTURE_FAKE_CALLS_H

#include "capture/record_payloads.h"

/* Records the enter and the leave of a call with the flag RECORD_FAKE. If the function has a return value, it
 * is 0. */
void capture_fake_call(struct capture_thread *t, uint32_t id, const union spec_arg *args);

/* Does the same with other memory in place of what one of the arguments points to. */
void capture_fake_call_with(struct capture_thread *t, uint32_t id, const union spec_arg *args,
                            const struct capture_override *memory);

/* Records a call that was made for the trace only, with its outputs and its return value. */
void capture_fake_answer(struct capture_thread *t, uint32_t id, const union spec_arg *args,
                         const union spec_arg *ret);

#endif
