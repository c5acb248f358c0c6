/* SPDX-License-Identifier: MIT
 * Packets for a log, little endian, with pointers of 8 bytes and the type first; one at a time.
 */
#ifndef SP_RTRACE_PACKET_WRITER_H
#define SP_RTRACE_PACKET_WRITER_H

#include "formats/shared/log_output.h"
#include "base/buf.h"
#include "trace/sink_ops.h"

/* The longest text of a string: its length, which has two bytes, may count the padding. */
#define PACKET_STRING_MAX 65534

struct packet_writer {
    struct log_output output;
    struct trace_sink *sink; /* lent: it counts what is left out */
    bool plain_strings;      /* lengths are those of the texts, as in the document; else with the padding */
    struct buf packet;
    int rc; /* TRACE_ERR_MEMORY while a packet is made: packet_end() tells */
};

void packet_begin(struct packet_writer *w, uint32_t type);
void packet_put_u32(struct packet_writer *w, uint32_t value);
void packet_put_pointer(struct packet_writer *w, uint64_t value);

/* A value that may need more than its 32 bits: then it becomes the highest, and what it was is counted. */
void packet_put_clamped(struct packet_writer *w, uint64_t value, const char *what);

/* text NULL: no string. */
void packet_put_string(struct packet_writer *w, const char *text, size_t length);
int packet_end(struct packet_writer *w);

#endif
