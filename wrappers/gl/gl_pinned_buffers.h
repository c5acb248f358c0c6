/* SPDX-License-Identifier: MIT
 * GL_AMD_pinned_memory: after glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, …), the driver uses the
 * memory of the program as the buffer. A replay does not have this memory. So fake calls of glBufferData()
 * after that call make the buffer a usual one with a copy. Before each call that may use buffers, fake calls
 * of glBufferSubData() bring it what the program has written to its memory since.
 */
#ifndef GL_GL_PINNED_BUFFERS_H
#define GL_GL_PINNED_BUFFERS_H

#include "capture/capture_thread.h"
#include "gl/gl_mappings.h"

#include "runtime/spec.h"

struct fault_mark;

/* Whether the call is a glBufferData() for pinned memory, if it succeeds. */
bool gl_call_pins_memory(const struct spec_function *f, const union spec_arg *args);

/* After such a call for this buffer. Queries the driver. The fake calls follow when the call is complete. */
void gl_pinned_begin(struct capture_thread *t, uint32_t buffer, const struct spec_function *f,
                     const union spec_arg *args);

/* The buffer is deleted or has new storage. Does nothing if it has no pinned memory. */
void gl_pinned_end(uint32_t share_group, uint32_t buffer);

/* Records what has changed in m, which is pinned. Waits for its fake glBufferData(), while the buffer is
 * mapped, where glBufferSubData() fails, and between glBegin() and glEnd(). Called with the lock of the
 * mappings; now: as for memory_watch_compare(). */
void gl_pinned_record_changes(struct capture_thread *t, const struct gl_mapping *m,
                              const struct fault_mark *now);

#endif
