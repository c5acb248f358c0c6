/* SPDX-License-Identifier: MIT
 * Makes events from the packets of a binary log.
 */
#ifndef SP_RTRACE_BINARY_EVENTS_H
#define SP_RTRACE_BINARY_EVENTS_H

#include "formats/sp_rtrace/binary_scan.h"
#include "formats/shared/event_pool.h"

/* Each function fills a new block, or adds to it. The fields of the packets have been checked before. Errors:
 * TRACE_ERR_MEMORY. */
int binary_declared_event(struct event_block *block, struct log_names *names,
                          const struct log_summary *summary, const struct packet_style *style,
                          const struct packet *packet);
int binary_call_event(struct event_block *block, struct log_names *names, const struct packet_style *style,
                      const struct packet *packet);

/* key is scratch memory for the function's key. */
int binary_call_add_args(struct event_block *block, struct log_names *names, struct buf *key,
                         const struct packet_style *style, const struct packet *packet);
int binary_call_add_frames(struct event_block *block, const struct packet_style *style,
                           const struct packet *packet);

#endif
