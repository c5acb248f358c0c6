/* SPDX-License-Identifier: MIT
 * What the parts of the sink share.
 */
#ifndef CTF_SINK_H
#define CTF_SINK_H

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

/* Fields of a structure, as they are collected. */
struct ctf_fields {
    const char **names; /* constants, or as long-lived as signatures */
    struct trace_value *values;
    uint32_t count;
    uint32_t room;
};

/* Makes room for so many fields in the scratch arena. Errors: TRACE_ERR_MEMORY. */
int ctf_fields_init(struct ctf_fields *f, struct ctf_sink *s, uint32_t room);

/* Add a field. There must be room. The first leaves out one without a value. */
void ctf_fields_add(struct ctf_fields *f, const char *name, struct trace_value value);
void ctf_fields_add_any(struct ctf_fields *f, const char *name, struct trace_value value);

/* Adds the fields of `inner` as one field, a structure. There must be room. Errors: TRACE_ERR_MEMORY. */
int ctf_fields_append_structure(struct ctf_sink *s, struct ctf_fields *f, const struct ctf_fields *inner);

static inline struct trace_value ctf_fields_value(const struct ctf_fields *f)
{
    return (struct trace_value){.type = TRACE_STRUCT, .count = f->count, .u.items = f->values};
}

static inline struct trace_value ctf_uint_value(uint64_t number)
{
    return (struct trace_value){.type = TRACE_UINT, .u.uint = number};
}

static inline struct trace_value ctf_address_value(uint64_t address)
{
    return (struct trace_value){.type = TRACE_OPAQUE, .u.uint = address};
}

/* text may be NULL: no value. */
struct trace_value ctf_text_value(const char *text);

/* A value of an enumeration that grows. Errors: TRACE_ERR_MEMORY. */
int ctf_label_value(struct ctf_sink *s, struct ctf_labels *l, uint64_t key, const char *name,
                    struct trace_value *out);

/* Finds or adds the event class of this name with such fields. args: fields of a structure "args", at the end
 * of the payload, if it has any. Errors: TRACE_ERR_MEMORY. */
int ctf_sink_find_event(struct ctf_sink *s, struct ctf_out_class *class, const char *name,
                        const struct ctf_fields *specific, const struct ctf_fields *payload,
                        const struct ctf_fields *args, struct ctf_out_event **out);

/* Writes an event that has no classes. */
int ctf_sink_put_typed(struct ctf_sink *s, const struct trace_event *event);

/* Finds or adds the stream of the event's thread. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_sink_find_stream(struct ctf_sink *s, const struct trace_event *event, struct ctf_out_stream **out);

/* Begins the trace of events without classes, which has none. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_sink_begin_empty(struct ctf_sink *s);

/* Returns the value of the clock for an event of the stream. time: TRACE_NO_TIME: unknown. */
uint64_t ctf_sink_time_of(struct ctf_sink *s, struct ctf_out_stream *stream, const struct trace_event *event,
                          int64_t time);
/* The event that was just written there may get its time later. Errors: TRACE_ERR_MEMORY. */
int ctf_sink_hold(struct ctf_sink *s, struct ctf_out_stream *stream, int64_t time);

/* Writes an event that has classes. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_sink_copy(struct ctf_sink *s, const struct trace_event *event);

/* Notes a loss in a stream that is copied. */
int ctf_sink_copy_loss(struct ctf_sink *s, const struct trace_event *event);

/* Losses of streams that had no event are left out. */
void ctf_sink_end_copy(struct ctf_sink *s);

#endif
