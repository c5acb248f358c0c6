/* SPDX-License-Identifier: MIT
 * Runs programs over the bits of a packet.
 */
#ifndef CTF_DECODE_H
#define CTF_DECODE_H

#include "formats/ctf/decode/ctf_decoder.h"
#include "formats/ctf/decode/ctf_short_header.h"

/* Reads the scope into *out, a structure; out may be NULL: only roles and slots are of interest. Returns 0,
 * CTF_MORE, TRACE_ERR_DAMAGED if the packet cannot contain that, or the values take too much memory, or
 * TRACE_ERR_MEMORY. The message says only what is wrong. An empty program reads nothing and leaves *out as it
 * is. */
int ctf_decode(struct ctf_decoder *d, const struct ctf_program *program, struct trace_value *out);

/* Reads a short header, as ctf_decode() would, and returns true; or returns false, without any effect, if it
 * has another form or is not all in memory. */
bool ctf_decode_short_header(struct ctf_decoder *d, const struct ctf_short_header *h);

#endif
