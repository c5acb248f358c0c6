/* SPDX-License-Identifier: MIT
 * Reads a stream file, packet by packet. A damaged packet costs that packet.
 */
#ifndef CTF_STREAM_H
#define CTF_STREAM_H

#include "formats/ctf/decode/ctf_event_bits.h"

/* What streams share. All is lent to them. */
struct ctf_stream_place {
    struct ctf_layout *layout; /* of the trace */
    struct ctf_files *files;
    struct ctf_instances *instances;
};

/* Opens the file. `step` is the size of the window in bytes. After an error there is nothing to close.
 * Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_stream_open(struct ctf_stream **out, const struct ctf_stream_place *place, const char *path,
                    size_t step);
void ctf_stream_close(struct ctf_stream *s); /* may be NULL */

/* Goes to the next item. The event of the current one must have been read. Errors: TRACE_ERR_IO,
 * TRACE_ERR_MEMORY. */
int ctf_stream_advance(struct ctf_stream *s);

/* Frees memory until the stream is used again, which then reads its file again. */
void ctf_stream_wait(struct ctf_stream *s);

/* Reads the rest of the event into TRACE_SCOPES values, which point into the arena and the packet. Call it
 * once for an item CTF_ITEM_EVENT. Errors: TRACE_ERR_DAMAGED: the event is lost, and the rest of the packet;
 * TRACE_ERR_TRUNCATED: likewise, because the file ends there; TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_stream_read_event(struct ctf_stream *s, struct arena *arena, struct trace_value *scopes);

/* Passes over the rest of the event instead. Errors: the same. */
int ctf_stream_pass_event(struct ctf_stream *s);

/* Reads the values of an event that was passed into the scopes behind the packet's. Errors: those of
 * ctf_stream_read_event(), but nothing is lost; TRACE_ERR_USAGE: the stream has left the event. */
int ctf_stream_read_passed(const struct ctf_event_bits *b, struct trace_value *scopes);

#endif
