/* SPDX-License-Identifier: MIT
 * Metadata of CTF 2 (CTF2-SPEC-2.0, section 5): a JSON text sequence of fragments.
 */
#ifndef CTF2_H
#define CTF2_H

#include "formats/ctf/ctf_types.h"

/* Parses metadata as text, without packets, into an initialised trace. The record separators (0x1e) before
 * fragments may be missing. `file` is for messages, which are "FILE:LINE: CAUSE"; the line is that where a
 * fragment begins. Errors: TRACE_ERR_FORMAT; TRACE_ERR_UNSUPPORTED if the metadata declare extensions, which
 * may change the format; TRACE_ERR_MEMORY. */
int ctf2_parse(struct ctf_trace *trace, const char *file, const char *text, size_t length);

#endif
