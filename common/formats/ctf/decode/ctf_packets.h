/* SPDX-License-Identifier: MIT
 * The beginning of a packet: its header and context; and where the next one is, if a packet is damaged.
 */
#ifndef CTF_PACKETS_H
#define CTF_PACKETS_H

#include "formats/ctf/decode/ctf_stream_state.h"

#define CTF_MAGIC_NUMBER UINT32_C(0xc1fc1fc1)

/* Begins the packet at s->packet_end. The decoder is then at its first event. After TRACE_ERR_DAMAGED,
 * s->packet_end is where reading can go on. Errors: TRACE_ERR_DAMAGED, TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_packet_begin(struct ctf_stream *s);

/* Compares the counters of the packet, which was just begun, with those of the packet before it: sets
 * s->lost_events, s->lost_packets and s->lost_from. Call it in the order of the packets' times. Errors:
 * TRACE_ERR_MEMORY. */
int ctf_packet_count_losses(struct ctf_stream *s);

/* Does the same, but leaves s->packet_end as it is after TRACE_ERR_DAMAGED, whose message is the cause. */
int ctf_packet_try(struct ctf_stream *s);

/* Ends the packet, wherever the decoder is in it. */
void ctf_packet_end(struct ctf_stream *s);

/* Gives up one use of what events of a packet share. packet may be NULL. */
void ctf_packet_give_back(struct ctf_packet *packet);

#endif
