/* SPDX-License-Identifier: MIT
 * Handles of bindless textures and images in memory: in buffers, and in numbers that shaders take for
 * handles.
 */
#ifndef RETRACE_BINDLESS_HANDLES_H
#define RETRACE_BINDLESS_HANDLES_H

#include "replayer.h"

/* Returns the real handle for a traced one. Nothing but the number tells that it is a handle, so that handles
 * with less than 33 bits, which some drivers have, are returned as they are, like all other numbers. */
uint64_t bindless_handles_map(struct replayer *r, uint64_t number);

/* Returns the bytes with real handles in place of traced ones, which may be anywhere at multiples of 4 bytes:
 * the same bytes if there are none, or else a copy that exists until the call has been replayed. Returns NULL
 * if there is no memory. */
const void *bindless_handles_map_bytes(struct replayer *r, const void *bytes, uint64_t size);

/* Returns true if a traced handle, which is long enough, is another one here. */
bool bindless_handles_moved(const struct replayer *r);

#endif
