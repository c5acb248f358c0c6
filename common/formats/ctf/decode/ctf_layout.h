/* SPDX-License-Identifier: MIT
 * A trace's metadata, compiled for reading its streams.
 */
#ifndef CTF_LAYOUT_H
#define CTF_LAYOUT_H

#include "formats/ctf/decode/ctf_short_header.h"
#include "trace/event.h"

/* A field that users see, by which an event's origin is known. */
struct ctf_place {
    uint8_t scope;  /* enum trace_scope */
    uint16_t index; /* in the structure; CTF_NO_PLACE: there is no such field */
};

#define CTF_NO_PLACE UINT16_MAX

/* What is known of the events of a class. */
enum ctf_meaning {
    CTF_MEANS_NOTHING,
    CTF_MEANS_ENTER,  /* the function at `address` was entered */
    CTF_MEANS_EXIT,   /* it was left; without an address, the innermost one */
    CTF_MEANS_MODULE, /* the file `path` is mapped at `address` */
};

struct ctf_stream_layout;

struct ctf_event_layout {
    const struct ctf_trace *trace;
    const struct ctf_stream_layout *stream;
    const struct ctf_event_class *class;
    struct ctf_program specific_context;
    struct ctf_program payload;
    struct trace_function_sig sig; /* its arguments are the fields of the payload */
    struct trace_record_class record;
    struct ctf_place process;
    struct ctf_place thread;
    struct ctf_place cpu;       /* of version 1.1, whose packets do not tell it */
    struct ctf_place contexts;  /* of an event that trace-cli wrote */
    uint32_t number;            /* among those of the source */
    enum trace_event_kind fact; /* ctf_facts.h sets it; TRACE_EVENT_END: nothing that it knows */
    enum ctf_meaning meaning;   /* ctf_calls.h sets it, and the indexes of its arguments, or CTF_NO_PLACE */
    uint16_t address;
    uint16_t size;
    uint16_t path;
    uint16_t function; /* of a call: its name, as a label; likewise below, as trace-cli writes calls */
    uint16_t args;
    uint16_t ret;
    uint16_t flags;
    uint16_t is_tail;
    uint16_t frames; /* or addresses */
};

/* Computes times from the counter. */
struct ctf_time {
    uint64_t frequency;
    int64_t offset; /* nanoseconds from the clock of the trace's source to the counter's 0 */
};

struct ctf_stream_layout {
    const struct ctf_stream_class *class;
    struct ctf_program packet_header; /* that of the trace, for this stream class */
    struct ctf_program packet_context;
    struct ctf_program event_header;
    struct ctf_short_header short_header; /* the same */
    struct ctf_program common_context;
    const struct ctf_clock *clock; /* NULL: there are no times */
    struct ctf_time time;
    bool counts_events;              /* its clock is trace-cli's count of events, which have no times */
    struct ctf_event_layout *events; /* as in the class */
    struct ctf_event_layout **by_id; /* of small ids; NULL: there is no such event */
    uint64_t by_id_count;
};

struct ctf_layout {
    struct ctf_trace *trace;
    struct ctf_program packet_header; /* by which the stream class is found */
    struct ctf_stream_layout *streams;
    uint16_t slot_count;
    struct trace_property *environment;
};

/* The trace is lent. Call ctf_layout_fini() even after an error. Errors: TRACE_ERR_FORMAT,
 * TRACE_ERR_UNSUPPORTED, TRACE_ERR_MEMORY. */
int ctf_layout_init(struct ctf_layout *l, struct ctf_trace *trace);
void ctf_layout_fini(struct ctf_layout *l);

/* Returns NULL if there is none. */
struct ctf_stream_layout *ctf_layout_find_stream(const struct ctf_layout *l, uint64_t id);
struct ctf_event_layout *ctf_layout_find_event(const struct ctf_stream_layout *stream, uint64_t id);

/* Nanoseconds from the origin to the counter's 0. Errors: TRACE_ERR_FORMAT if they do not fit in 64 bits. */
int ctf_clock_offset(const struct ctf_clock *clock, int64_t *out);

/* Returns cycles of a frequency as nanoseconds, at most INT64_MAX. */
uint64_t ctf_time_scale(uint64_t cycles, uint64_t frequency);

/* Returns the time of a value of the counter; times that do not fit are cut off. */
static inline int64_t ctf_time_of(const struct ctf_time *time, uint64_t cycles)
{
    int64_t sum;
    if (time->frequency != 1000000000)
        cycles = ctf_time_scale(cycles, time->frequency);
    if (cycles > INT64_MAX || __builtin_add_overflow((int64_t)cycles, time->offset, &sum))
        return INT64_MAX;
    return sum == TRACE_NO_TIME ? sum + 1 : sum;
}

#endif
