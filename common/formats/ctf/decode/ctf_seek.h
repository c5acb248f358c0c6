/* SPDX-License-Identifier: MIT
 * Goes to the packet of a stream at which a time begins: by LTTng's index of the file, or else from one
 * packet's header to the next one's.
 */
#ifndef CTF_SEEK_H
#define CTF_SEEK_H

#include "formats/ctf/decode/ctf_stream_state.h"

/* Passes over packets that end before the time, but for the last two of them: the counters of the one before
 * the last tell what was lost, and some tracers write events into the last one that belong behind its end.
 * The stream then has another item: the first of them begins. Does nothing if the current packet is not known
 * to end before the time, or if it was called before. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_stream_seek(struct ctf_stream *s, int64_t time);

/* Returns whether it would pass over packets. */
bool ctf_stream_can_seek(const struct ctf_stream *s, int64_t time);

#endif
