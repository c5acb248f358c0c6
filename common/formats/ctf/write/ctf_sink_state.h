/* SPDX-License-Identifier: MIT
 * What the parts of the sink share.
 */
#ifndef CTF_SINK_STATE_H
#define CTF_SINK_STATE_H

#include "formats/ctf/write/ctf_shape.h"
#include "trace/sink_ops.h"

/* An event whose time is not known before that of a later one is. */
struct ctf_held {
    struct ctf_out_stream *stream;
    struct ctf_mark mark;
    uint64_t sequence; /* of its packet */
};

/* How times become values of the written clock. */
struct ctf_sink_time {
    struct ctf_clock *clock;
    bool has_times; /* otherwise the clock counts events */
    bool has_ticks; /* values are those of the source's counter */
    bool is_known;  /* there has been an event with a time */
    uint64_t last;  /* value */
    uint64_t backward;
    uint64_t timeless;
    struct ctf_held *held;
    size_t held_count;
    size_t held_room;
};

enum { CTF_RECENT_STREAMS = 16, CTF_RECENT_EVENTS = 64 };

/* What the maps below said, for what is copied again and again. */
struct ctf_recent_stream {
    uint64_t number;
    struct ctf_out_stream *stream; /* NULL: nothing */
};

struct ctf_recent_event {
    const struct ctf_event_layout *layout; /* NULL: nothing */
    struct ctf_out_event *event;
};

struct ctf_sink {
    struct trace_sink base;
    struct ctf_out out;
    struct trace_sink_options options;
    struct trace_clock source_clock;
    struct arena scratch;   /* of an event */
    struct int_map origins; /* maps addresses of origins to streams */
    struct int_map threads; /* maps numbers of threads of calls without an origin to streams */
    struct buf shape;

    /* Of events without classes. */
    struct ctf_out_trace *typed; /* NULL: none yet */
    const char *program;         /* file name of the program, lent; "": unknown */
    struct ctf_shapes shapes;
    struct ctf_labels functions;
    struct ctf_labels types;     /* of resources */
    struct int_map told;         /* by numbers of open calls: a bit for each argument that was told */
    struct string_map by_shape;  /* maps shapes to addresses of event classes */
    struct string_map by_thread; /* maps processes and threads to streams */
    struct ctf_sink_time time;

    /* Of events of CTF. */
    struct ctf_recent_stream recent_streams[CTF_RECENT_STREAMS]; /* by number */
    struct ctf_recent_event recent_events[CTF_RECENT_EVENTS];    /* by number of the layout */
    struct int_map copied;  /* maps addresses of source's event layouts to event classes, 0: by shape */
    struct int_map sources; /* maps numbers of source's streams to streams */
    struct int_map losses;  /* of streams that have no event yet, by number */
    uint64_t extra_left_out;
};

#endif
