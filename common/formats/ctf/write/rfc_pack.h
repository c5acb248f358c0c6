/* SPDX-License-Identifier: MIT
 * Packets of version 1.1, when all their events are in them: their compression, checksum and sizes (section
 * 5).
 */
#ifndef RFC_PACK_H
#define RFC_PACK_H

#include "formats/ctf/decode/rfc_content.h"

struct rfc_style {
    uint8_t compression; /* enum rfc_compression; of the content, if this makes it smaller; so it is never
                            larger */
    uint8_t checksum;    /* enum rfc_checksum */
};

/* Compresses the content behind the header, and sets those fields of the header that tell its sizes, schemes
 * and checksum. The others are already set. Errors: TRACE_ERR_MEMORY, TRACE_ERR_UNSUPPORTED: more than 4 GiB.
 */
int rfc_pack(struct buf *packet, const struct rfc_style *style);

/* Appends a file of metadata with this text, in packets. Errors: likewise. */
int rfc_pack_metadata(const uint8_t *text, size_t size, bool is_big_endian, uint32_t session,
                      const struct rfc_style *style, struct buf *out);

#endif
