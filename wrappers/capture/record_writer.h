/* SPDX-License-Identifier: MIT
 * Copies a call into the thread's ring.
 */
#ifndef CAPTURE_RECORD_WRITER_H
#define CAPTURE_RECORD_WRITER_H

#include "capture/capture_thread.h"

#include "runtime/spec.h"

struct capture_override;

/* Appends an ENTER record. flags: enum record_flag. memory: replaces the memory of one argument; may be NULL.
 * After a failure, the thread no longer records. */
void record_write_enter(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                        uint8_t flags, const struct capture_override *memory);

/* Appends a LEAVE record. time: when the call returned, in ticks of the ring's clock. */
void record_write_leave(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                        const union spec_arg *ret, uint8_t flags, uint64_t time);

#endif
