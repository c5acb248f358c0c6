/* SPDX-License-Identifier: MIT
 * The checksum of an event stream while it goes by, and whether a file holds that stream.
 */
#ifndef CLI_STREAM_DIGEST_H
#define CLI_STREAM_DIGEST_H

#include <stddef.h>
#include <stdint.h>

struct XXH3_state_s;

struct stream_digest {
    uint64_t bytes;
    struct XXH3_state_s *state;
};

int stream_digest_init(struct stream_digest *d);
void stream_digest_fini(struct stream_digest *d); /* after a failed init, too */
void stream_digest_add(struct stream_digest *d, const void *bytes, size_t count);

/* Reads and decompresses the trace at path. 0 if its stream is the one that d has seen; TRACE_ERR_FORMAT if
 * not, or what went wrong in reading it. */
int stream_digest_verify(const struct stream_digest *d, const char *path);

#endif
