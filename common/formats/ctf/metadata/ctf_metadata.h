/* SPDX-License-Identifier: MIT
 * Reads the file "metadata" of a trace, in any of its languages, as text or in packets.
 */
#ifndef CTF_METADATA_H
#define CTF_METADATA_H

#include "formats/ctf/ctf_types.h"

/* Reads the file into an initialised trace. Errors: TRACE_ERR_IO, TRACE_ERR_FORMAT ("FILE:LINE: CAUSE", where
 * lines of a file in packets are those of its text), TRACE_ERR_TRUNCATED, TRACE_ERR_UNSUPPORTED,
 * TRACE_ERR_MEMORY. */
int ctf_metadata_read(struct ctf_trace *trace, const char *path);

/* The same of bytes in memory; path is for messages. */
int ctf_metadata_parse(struct ctf_trace *trace, const char *path, const uint8_t *bytes, size_t count);

#endif
