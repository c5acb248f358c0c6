/* SPDX-License-Identifier: MIT
 * Walks through a binary log packet by packet, and checks each one. The fields of a packet must end where its
 * size says; packets of later versions may have additional fields. If a packet is not possible, the walk
 * returns an error and continues with the next possible packet.
 */
#ifndef SP_RTRACE_PACKET_WALK_H
#define SP_RTRACE_PACKET_WALK_H

#include "formats/shared/file_window.h"
#include "formats/sp_rtrace/packets.h"

struct packet {
    uint32_t type;       /* enum packet_type; PACKET_NONE: the end of the log */
    bool known;          /* false: from a later version of the format */
    uint32_t size;       /* bytes of data */
    uint64_t offset;     /* file offset of the packet's head */
    const uint8_t *data; /* lent until the next packet is read */
};

struct packet_walk {
    struct file_window window;
    struct packet_style style; /* of the next packet */
    uint64_t offset;           /* of the next packet */
    uint64_t corrected;        /* file offset of a packet whose size field is wrong */
    uint32_t corrected_size;   /* its actual size */
    uint64_t no_log_until;     /* no other log begins before this offset; UINT64_MAX: in all that is read */
    bool met_log;              /* another log has begun */
    bool lost;                 /* after TRACE_ERR_DAMAGED: packets before the next one may be lost */
    bool ended;
};

/* Starts the walk with the packet at offset. style says how it is written. */
void packet_walk_init(struct packet_walk *w, struct trace_file *file, const struct packet_style *style,
                      uint64_t offset);
void packet_walk_fini(struct packet_walk *w);

/* Reads the next packet. Errors: TRACE_ERR_DAMAGED: the log is damaged before the next packet; call again to
 * continue. TRACE_ERR_TRUNCATED: the file ends inside a packet; the next call returns the end. */
int packet_walk_next(struct packet_walk *w, struct packet *out);

#endif
