/* SPDX-License-Identifier: MIT
 * Decides where a packet may begin. By this, damage is detected, and the next packet after it is found.
 */
#ifndef SP_RTRACE_PACKET_SEARCH_H
#define SP_RTRACE_PACKET_SEARCH_H

#include "formats/shared/file_window.h"
#include "formats/sp_rtrace/packets.h"

/* How far ahead the fields of a packet are searched for if they do not fit its size, in bytes. This limits
 * the cost of damage. */
#define PACKET_LOOKAHEAD ((size_t)4096)

#define PACKET_NOT_FOUND UINT64_MAX

/* Returns true if the file ends at offset, or if a packet of a known type or another log may begin there. If
 * `any` is true, the packet may be of any type. */
bool packet_may_begin(struct file_window *w, const struct packet_style *style, uint64_t offset, bool any);

/* Finds the next offset, from `offset` on, at which another log begins, or a packet of a known type whose
 * fields fit. Every byte is tried, since damage may have added or removed bytes. */
int packet_search(struct file_window *w, const struct packet_style *style, uint64_t offset, uint64_t *found);

/* Looks for the handshake of another log from offset on, at least up to end, or in all that the window has.
 * *until is where it begins, if *found; else up to there none does. The window moves on only if it ends
 * before end. */
int packet_search_log(struct file_window *w, uint64_t offset, uint64_t end, uint64_t *until, bool *found);

#endif
