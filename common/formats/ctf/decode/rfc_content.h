/* SPDX-License-Identifier: MIT
 * The content of a packet of the request for comments, version 1.1, section 5: its checksum and its
 * compression. When it was written, it was compressed, then encrypted, then summed.
 */
#ifndef RFC_CONTENT_H
#define RFC_CONTENT_H

#include "base/buf.h"
#include "formats/ctf/metadata/rfc_headers.h"

#define RFC_CONTENT_MAX (64 << 20) /* bytes to which the content of a packet may expand */

struct rfc_packet {
    bool is_big_endian;
    uint8_t count_bits;  /* how many bits of `count` are significant */
    uint8_t compression; /* enum rfc_compression */
    uint8_t encryption;  /* enum rfc_encryption */
    uint8_t scheme;      /* enum rfc_checksum */
    uint32_t session;
    uint32_t content_size; /* bytes, likewise below; both include the header */
    uint32_t packet_size;
    uint32_t checksum;
    uint32_t count;
    uint64_t begin;
    uint64_t end;
    uint32_t discarded;
};

/* Reads the header of a packet from RFC_PACKET_HEADER_SIZE bytes. Returns whether they have the magic number,
 * in one byte order or the other. */
bool rfc_packet_read(struct rfc_packet *out, const uint8_t *bytes);

/* Computes the checksum of a content as it is in the file; of MD5 and SHA-1 the first four bytes, as an
 * integer of that byte order. Errors: TRACE_ERR_UNSUPPORTED if the scheme is not known. */
int rfc_content_sum(uint8_t scheme, bool is_big_endian, const uint8_t *content, size_t size, uint32_t *out);

/* Compares the checksum with that of the content as it is in the file. The header has room for 32 bits: the
 * first four bytes of MD5 and SHA-1 are compared. Errors: TRACE_ERR_DAMAGED; TRACE_ERR_UNSUPPORTED if the
 * scheme is not known. */
int rfc_content_check(const struct rfc_packet *packet, const uint8_t *content, size_t size);

/* Appends the content without its compression. Errors: TRACE_ERR_DAMAGED; TRACE_ERR_UNSUPPORTED if it is
 * encrypted, or compressed in a way that is not known; TRACE_ERR_MEMORY. */
int rfc_content_expand(const struct rfc_packet *packet, const uint8_t *content, size_t size, struct buf *out);

#endif
