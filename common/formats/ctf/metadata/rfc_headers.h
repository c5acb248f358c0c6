/* SPDX-License-Identifier: MIT
 * The headers of packets and events that the request for comments, version 1.1, defines in sections 5
 * and 6.1.
 */
#ifndef RFC_HEADERS_H
#define RFC_HEADERS_H

#include "formats/ctf/ctf_types.h"

#define RFC_MAGIC              UINT32_C(0xc1fc1fc1)
#define RFC_PACKET_HEADER_SIZE 48              /* bytes */
#define RFC_CONTEXT_FIELD      "event_context" /* a structure at the begin of an event's fields */

enum rfc_compression {
    RFC_NOT_COMPRESSED,
    RFC_BZIP2,
    RFC_GZIP,
};

enum rfc_encryption {
    RFC_NOT_ENCRYPTED,
    RFC_AES,
};

enum rfc_checksum {
    RFC_NO_CHECKSUM,
    RFC_MD5,
    RFC_SHA1,
    RFC_CRC32,
};

/* Sets the header of packets. Errors: TRACE_ERR_MEMORY. */
int rfc_set_packet_header(struct ctf_trace *trace);

/* Makes the header of events: of type 1 for few event ids, or of type 2. Errors: TRACE_ERR_MEMORY. */
int rfc_make_event_header(struct ctf_trace *trace, unsigned type, const struct ctf_class **out);

#endif
