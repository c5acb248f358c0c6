/* SPDX-License-Identifier: MIT
 * What is particular to packets of the request for comments, version 1.1: their section, their sizes, their
 * checksum and their compression.
 */
#ifndef RFC_PACKETS_H
#define RFC_PACKETS_H

#include "formats/ctf/decode/ctf_stream_state.h"
#include "formats/ctf/decode/rfc_content.h"

/* Finds the section of a stream file by the file's name, which is the section's, or that with "_" and a
 * number. Returns NULL if there is none; the only section that there is may have files of any name. */
const struct ctf_stream_layout *rfc_packet_find_section(const struct ctf_stream *s);

/* Adds the header to the sizes, in bits, if they seem to be without it. Errors: TRACE_ERR_IO. */
int rfc_packet_include_header(struct ctf_stream *s, uint64_t *content, uint64_t *packet);

/* Compares the checksum, and expands the content, of the packet at s->packet_at, whose sizes are known.
 * Errors: TRACE_ERR_DAMAGED, also if the content is encrypted; TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int rfc_packet_open(struct ctf_stream *s);

/* Reads the header of the packet with which a stream file begins. Returns false if there is none. */
bool rfc_packet_find_first(const char *path, struct rfc_packet *out);

#endif
