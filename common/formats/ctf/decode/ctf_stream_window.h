/* SPDX-License-Identifier: MIT
 * Brings the part of a packet into memory that a decoder needs.
 */
#ifndef CTF_STREAM_WINDOW_H
#define CTF_STREAM_WINDOW_H

#include "formats/ctf/decode/ctf_stream_state.h"

/* Places the decoder at a bit of the packet, with so many bytes after it in memory, or as many as the content
 * has. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_stream_place(struct ctf_stream *s, uint64_t bit, size_t count);

/* Runs a program; brings more into memory as long as it needs more. *out is left alone if there is nothing to
 * show. Errors: as ctf_decode(). */
int ctf_stream_decode(struct ctf_stream *s, const struct ctf_program *program, struct trace_value *out);

#endif
