/* SPDX-License-Identifier: MIT
 * Finds the next packet of a stream file behind a damaged one.
 */
#ifndef CTF_PACKET_SEARCH_H
#define CTF_PACKET_SEARCH_H

#include "formats/ctf/ctf_types.h"
#include "formats/ctf/decode/ctf_files.h"

/* Looks from offset on for the bytes with which packets begin: the magic number, and the UUID if it follows.
 * *out is their offset, or the size of the file if there are none, or packets have no magic number. Errors:
 * TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_packet_search(struct ctf_file *file, const struct ctf_trace *trace, uint64_t offset, uint64_t *out);

#endif
