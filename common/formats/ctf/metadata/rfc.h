/* SPDX-License-Identifier: MIT
 * Metadata of the request for comments "Common Trace Format Proposal for Linux", version 1.1, section 7.
 */
#ifndef RFC_H
#define RFC_H

#include "formats/ctf/ctf_types.h"

/* Parses metadata as text, without packets, into an initialised trace. `file` is for messages, which are
 * "FILE:LINE: CAUSE". Sections become stream classes, whose files are named after them. The byte order stays
 * CTF_ORDER_DEFAULT. Errors: TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int rfc_parse(struct ctf_trace *trace, const char *file, const char *text, size_t length);

#endif
