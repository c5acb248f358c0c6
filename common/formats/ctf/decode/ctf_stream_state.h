/* SPDX-License-Identifier: MIT
 * A stream file that is being read: the packet, the place in it, and the next item.
 */
#ifndef CTF_STREAM_STATE_H
#define CTF_STREAM_STATE_H

#include "base/error.h"
#include "formats/ctf/decode/ctf_counters.h"
#include "formats/ctf/decode/ctf_decode.h"
#include "formats/ctf/decode/ctf_layout.h"
#include "formats/ctf/decode/ctf_window.h"

enum ctf_item {
    CTF_ITEM_END,    /* of the file */
    CTF_ITEM_PACKET, /* begins; once it is due, ctf_packet_count_losses() must be called */
    CTF_ITEM_EVENT,  /* whose header was read */
    CTF_ITEM_LOST_EVENTS,
    CTF_ITEM_LOST_PACKETS,
    CTF_ITEM_DAMAGE, /* `damage` says what cannot be read; something may follow */
};

/* What the events of a packet share. It lives until the last of them is released. */
struct ctf_packet {
    unsigned users;
    uint64_t number; /* in its file */
    struct arena arena;
    struct trace_value context; /* TRACE_STRUCT or TRACE_NONE */
    int32_t cpu;                /* -1: unknown */
    uint64_t place; /* another number whenever its stream leaves an event, or moves what is in memory */
};

struct ctf_stream {
    struct ctf_layout *layout;
    struct ctf_file file;
    struct ctf_instances *instances;
    const char *name; /* the last part of its path */
    struct ctf_window window;
    uint64_t *slots;
    struct ctf_decoder d; /* within the packet */
    struct ctf_told told;
    struct arena scratch; /* for what nobody keeps */

    /* The current packet. */
    bool in_packet;
    bool is_cut;           /* the file ends before it does */
    uint64_t packet_at;    /* file offset; likewise the next */
    uint64_t packet_end;   /* where the next packet begins */
    uint64_t content_bits; /* from its beginning */
    uint64_t shift;        /* bits from its beginning to d.data */
    struct buf expanded;   /* the whole packet, if its content was compressed; otherwise empty */
    struct ctf_packet *packet;
    const struct ctf_stream_layout *kind;
    uint64_t instance; /* of the stream class */

    /* From one packet to the next. */
    struct ctf_counters own;       /* of the file */
    struct ctf_counters *counters; /* those, or those of the instance; NULL: there was no packet */
    uint64_t lost_events;          /* to be told before the packet's events; likewise the next */
    uint64_t lost_packets;

    /* The next item. */
    enum ctf_item item;
    uint64_t clock;      /* its time, as a value of the counter, */
    int64_t time;        /* and in nanoseconds; TRACE_NO_TIME: unknown */
    uint64_t lost;       /* how many */
    uint64_t event_bit;  /* where the event begins, from the beginning of the packet */
    uint64_t fields_bit; /* the same of what is behind its header */
    uint64_t packets;    /* that have been begun */
    uint64_t lost_from;  /* the counter before the loss */
    const struct ctf_event_layout *event;
    struct trace_kept_error damage;

    /* While events are passed over. */
    bool is_sought;          /* ctf_stream_seek() was called */
    bool has_modules;        /* the packet being passed tells where files are mapped */
    bool is_passing;         /* the next member counts */
    uint64_t passing_packet; /* its file offset */

    const struct trace_origin *origin; /* of the last event */
    uint32_t rank;                     /* orders events of the same time */
};

#endif
