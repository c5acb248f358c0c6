/* SPDX-License-Identifier: MIT
 * The memory that arguments point to: copies of what the trace has of it, and room for outputs.
 */
#ifndef RETRACE_REPLAY_MEMORY_H
#define RETRACE_REPLAY_MEMORY_H

#include "replayer.h"

enum {
    REPLAY_PADDING = 64, /* zero bytes after every copy, for terminators that are missing in the trace */
};

/* In bytes. No call transfers more, so a larger length is an error in the trace. */
#define REPLAY_MAX_BYTES ((uint64_t)1 << 31)

/* Returns `total` bytes, of which the first are copies of the `count` at bytes, and the others zero. They
 * are followed by REPLAY_PADDING zeros, and valid until the next call. bytes may be NULL if count is 0.
 * Returns NULL, with the message set, if there is no memory, or if total is above REPLAY_MAX_BYTES. */
void *replay_copy(struct replayer *r, const void *bytes, uint64_t count, uint64_t total);

/* Returns memory for an output of `size` bytes, like replay_copy(). Rows that are stored from the last to the
 * first may begin GL_PACK_SKIP_ROWS below the address, and its size contains as many rows. */
void *replay_output_memory(struct replayer *r, uint64_t size);

#endif
