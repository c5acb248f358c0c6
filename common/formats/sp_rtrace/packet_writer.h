/* SPDX-License-Identifier: MIT
 * Writes the packets of a log, one at a time. They are little-endian, with 8-byte pointers, and the type
 * comes first.
 */
#ifndef SP_RTRACE_PACKET_WRITER_H
#define SP_RTRACE_PACKET_WRITER_H

#include "formats/shared/log_output.h"
#include "base/buf.h"
#include "trace/sink_ops.h"

/* The highest length of a string in bytes. Its length field has two bytes, and may include the padding. */
#define PACKET_STRING_MAX 65534

struct packet_writer {
    struct log_output output;
    struct trace_sink *sink; /* lent; counts what is left out */
    bool plain_strings;      /* length fields do not include the padding, as in the document */
    struct buf packet;
    int rc; /* TRACE_ERR_MEMORY if a packet cannot be built; packet_end() returns it */
};

void packet_begin(struct packet_writer *w, uint32_t type);
void packet_put_u32(struct packet_writer *w, uint32_t value);
void packet_put_pointer(struct packet_writer *w, uint64_t value);

/* Writes a 32-bit field. A value that does not fit is replaced by the highest one, and counted as `what`. */
void packet_put_clamped(struct packet_writer *w, uint64_t value, const char *what);

/* text may be NULL: a null string. */
void packet_put_string(struct packet_writer *w, const char *text, size_t length);
int packet_end(struct packet_writer *w);

#endif
