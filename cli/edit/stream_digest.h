/* SPDX-License-Identifier: MIT
 * A checksum of an event stream, to verify that a file contains the same stream.
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
void stream_digest_fini(struct stream_digest *d); /* may be called even if init failed */
void stream_digest_add(struct stream_digest *d, const void *bytes, size_t count);

/* Reads and decompresses the trace at path. Returns 0 if its stream equals that of d, TRACE_ERR_FORMAT if it
 * differs, or the error of reading it. */
int stream_digest_verify(const struct stream_digest *d, const char *path);

#endif
