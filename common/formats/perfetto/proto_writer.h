/* SPDX-License-Identifier: MIT
 * Writes messages in protobuf's encoding to a buffer. If memory runs out, `failed` becomes true; nothing is
 * returned.
 */
#ifndef PROTO_WRITER_H
#define PROTO_WRITER_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proto_writer {
    struct buf out;
    bool failed; /* out of memory, or a message of more than PROTO_MESSAGE_MAX bytes */
};

#define PROTO_MESSAGE_MAX (((size_t)1 << 28) - 1)

void proto_put_uint(struct proto_writer *w, unsigned field, uint64_t value);
void proto_put_double(struct proto_writer *w, unsigned field, double value);
void proto_put_bytes(struct proto_writer *w, unsigned field, const void *bytes, size_t count);

/* Text must be UTF-8 there: what is not becomes U+FFFD. */
void proto_put_text(struct proto_writer *w, unsigned field, const char *text, size_t count);

/* Begins a message within the current one. Returns its mark, for proto_end(). */
size_t proto_begin(struct proto_writer *w, unsigned field);
void proto_end(struct proto_writer *w, size_t mark);

#endif
