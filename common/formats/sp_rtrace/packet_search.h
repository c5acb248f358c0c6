/* SPDX-License-Identifier: MIT
 * Where a packet may begin: what damage is told from, and how the next packet is found behind it.
 */
#ifndef SP_RTRACE_PACKET_SEARCH_H
#define SP_RTRACE_PACKET_SEARCH_H

#include "formats/shared/file_window.h"
#include "formats/sp_rtrace/packets.h"

/* As far as fields are followed that do not fit their packet: damage costs no more than that. */
#define PACKET_LOOKAHEAD ((size_t)4096)

#define PACKET_NOT_FOUND UINT64_MAX

/* True if the file ends at offset, or a packet of a known type may begin there; or, if any, one of another
 * type, or another log. */
bool packet_may_begin(struct file_window *w, const struct packet_style *style, uint64_t offset, bool any);

/* The next place from offset on where a packet of a known type begins whose fields fit, or another log. That
 * may be at any byte: damage may have added or taken some. */
int packet_search(struct file_window *w, const struct packet_style *style, uint64_t offset, uint64_t *found);

/* Looks for the handshake of another log from offset on, at least up to end, or in all that the window has.
 * *until is where it begins, if *found; else up to there none does. The window moves on only if it ends
 * before end. */
int packet_search_log(struct file_window *w, uint64_t offset, uint64_t end, uint64_t *until, bool *found);

#endif
