/* SPDX-License-Identifier: MIT
 * The text in the packets of a file of metadata (section 7 of the request for comments, version 1.1).
 */
#ifndef RFC_METADATA_H
#define RFC_METADATA_H

#include "base/buf.h"

#include <stdbool.h>

/* Whether a file of metadata begins with a packet of version 1.1. Metadata of CTF 1.8 have another number. */
bool rfc_metadata_has_packets(const uint8_t *bytes, size_t size);

/* Appends the text of all packets. `file` is for messages. Errors: TRACE_ERR_FORMAT, with the place;
 * TRACE_ERR_UNSUPPORTED; TRACE_ERR_MEMORY. */
int rfc_metadata_extract(const char *file, const uint8_t *bytes, size_t size, struct buf *text);

#endif
