/* SPDX-License-Identifier: MIT
 * Goes through a binary log from packet to packet. Each packet is checked: its fields must end where its size
 * says, or a later version may have added some. Where that cannot be, the walk says so and finds the next
 * packet.
 */
#ifndef SP_RTRACE_PACKET_WALK_H
#define SP_RTRACE_PACKET_WALK_H

#include "formats/shared/file_window.h"
#include "formats/sp_rtrace/packets.h"

struct packet {
    uint32_t type;       /* enum packet_type; PACKET_NONE: the log ends */
    bool known;          /* false: of a later version */
    uint32_t size;       /* bytes of data */
    uint64_t offset;     /* in the file, of its head */
    const uint8_t *data; /* lent until the next step */
};

struct packet_walk {
    struct file_window window;
    struct packet_style style; /* of the next packet */
    uint64_t offset;           /* of the next packet */
    uint64_t corrected;        /* offset of a packet whose size is not true; */
    uint32_t corrected_size;   /* what it should be */
    uint64_t no_log_until;     /* no other log begins before this offset; UINT64_MAX: in all that is read */
    bool met_log;              /* another log has begun */
    bool lost;                 /* after TRACE_ERR_DAMAGED: packets may be missing before the next one */
    bool ended;
};

/* The walk starts with the packet at offset, which is written in that style. */
void packet_walk_init(struct packet_walk *w, struct trace_file *file, const struct packet_style *style,
                      uint64_t offset);
void packet_walk_fini(struct packet_walk *w);

/* TRACE_ERR_DAMAGED: something is wrong before the next packet; call again. TRACE_ERR_TRUNCATED: the file
 * ends inside a packet; the end follows. */
int packet_walk_next(struct packet_walk *w, struct packet *out);

#endif
