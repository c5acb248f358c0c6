/* SPDX-License-Identifier: MIT
 * Traces that are being written: a folder, in it the streams' files, and the metadata, which are only known
 * at the end. What stands in events is decided elsewhere (ctf_sink.c), and how metadata and headers look by
 * the dialect. A packet is kept in memory until it is full; its file is only open while it is written, so
 * there may be any number of streams.
 */
#ifndef CTF_OUT_H
#define CTF_OUT_H

#include "formats/ctf/write/ctf_encode_bits.h"
#include "formats/ctf/write/rfc_pack.h"
#include "trace/event.h"

struct ctf_out;
struct ctf_out_trace;
struct ctf_out_class;
struct ctf_out_stream;

/* What a dialect decides. */
struct ctf_out_dialect {
    enum ctf_dialect id;
    bool has_clocks; /* and an environment, and levels of logs; */ /* otherwise times are nanoseconds */
    bool
        has_packet_fields; /* otherwise fields of packets that users see stand in the context of each event */
    bool has_booleans;     /* and blobs, and strings that must be UTF-8 */

    /* Sets the packet header of the trace, whose head is known. Errors: TRACE_ERR_MEMORY; likewise below. */
    int (*set_packet_header)(struct ctf_trace *t);

    /* Sets the packet context and the event header of a stream. extra: fields of packets that users see, or
     * NULL; events: how many kinds there will be, or SIZE_MAX. */
    int (*set_stream_headers)(struct ctf_trace *t, struct ctf_stream_class *stream, size_t events,
                              const struct ctf_class *extra);

    /* Makes *out, the same class as `in` of another trace, perhaps of another dialect; *out is NULL if there
     * is none. */
    int (*adapt)(struct ctf_trace *t, const struct ctf_trace *from, const struct ctf_class *in,
                 const struct ctf_class **out);

    /* Writes a name of a field so that *out is one in the metadata's language. It lives in the trace's arena.
     */
    int (*write_name)(struct ctf_trace *t, const char *name, const char **out);

    /* Likewise for a name in the environment. */
    int (*write_variable)(struct ctf_trace *t, const char *name, const char **out);

    /* Prints the metadata. */
    int (*print)(const struct ctf_trace *t, struct buf *out);

    /* The rest may be NULL. */

    /* Sets more values of fields that have roles, as a packet begins. */
    void (*begin_packet)(const struct ctf_out_stream *s, struct ctf_told *told);

    /* Changes a packet that is complete but for its sizes. Errors: TRACE_ERR_MEMORY, TRACE_ERR_UNSUPPORTED;
     * likewise below. */
    int (*end_packet)(struct ctf_out_stream *s);

    /* Writes the header of an event. told: its id and its time. */
    int (*put_event_header)(struct ctf_encoder *e, const struct ctf_out_stream *s, struct ctf_told *told);

    /* Makes a file of the metadata's text. */
    int (*pack_metadata)(const struct ctf_out_trace *t, const struct buf *text, struct buf *out);
};

extern const struct ctf_out_dialect ctf_out_tsdl;
extern const struct ctf_out_dialect ctf_out_ctf2;
extern const struct ctf_out_dialect ctf_out_rfc;

/* An event class. */
struct ctf_out_event {
    struct ctf_event_class *class;
    struct ctf_program specific;
    struct ctf_program payload;
    uint64_t
        copied_align; /* the sink's own: of the source's bits, which are written the same; 0: others are */
};

/* A stream class. */
struct ctf_out_class {
    struct ctf_out_trace *trace;
    struct ctf_stream_class *class;
    struct ctf_program packet_header;
    struct ctf_program packet_context;
    struct ctf_program event_header;
    struct ctf_short_header short_header; /* the same, if the dialect leaves its writing to its program */
    struct ctf_program common_context;
    uint16_t slot_count;        /* of these */
    uint32_t extra_count;       /* fields of packets that stand in the common context */
    struct trace_value *joined; /* room for the values of that context; NULL: it has no such fields */
    const void *source;         /* the sink's own; likewise below */
    uint32_t known;
    bool lacks_packet_fields;      /* the dialect has no such classes */
    struct ctf_out_event **events; /* by id */
    size_t event_count;
    size_t event_room;
};

/* A file. */
struct ctf_out_stream {
    struct ctf_out_class *class;
    char *path;
    struct buf packet; /* empty: none has begun */
    uint64_t at;       /* its bits */
    struct ctf_mark marks[CTF_ROLES];
    struct ctf_mark event_marks[CTF_ROLES]; /* of the last event */
    uint64_t instance;
    uint64_t sequence;  /* of the packet */
    uint64_t discarded; /* events, up to its end */
    uint64_t begin;     /* times, in cycles */
    uint64_t end;
    uint64_t source; /* the sink's own: the packet that is copied; likewise the next */
    int32_t cpu;
};

struct ctf_out_trace {
    struct ctf_out *out;
    struct ctf_trace model;
    char *path;         /* of its folder, as long as it is unfinished */
    const void *source; /* the sink's own */
    struct ctf_out_class **classes;
    size_t class_count;
    size_t class_room;
    struct ctf_out_stream **streams;
    size_t stream_count;
    size_t stream_room;
    uint64_t *slots;
};

struct ctf_out {
    const struct ctf_out_dialect *dialect;
    char *path;      /* that it will have */
    char *temporary; /* that it has */
    struct ctf_out_trace **traces;
    size_t trace_count;
    size_t trace_room;
    uint8_t order; /* enum ctf_byte_order: of all traces; CTF_ORDER_DEFAULT: each has its own */
    struct rfc_style rfc;
    size_t buffered; /* bytes of packets in memory */
};

/* Begins a folder that will be at path, where nothing may be but an empty folder or a trace without other
 * folders in it, which is replaced. After an error there is nothing to close. Errors: TRACE_ERR_USAGE,
 * TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_out_open(struct ctf_out *o, const char *path, const struct ctf_out_dialect *dialect);

/* Writes the last packets and the metadata. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_out_finish(struct ctf_out *o);

/* Gives the folder its name. A trace that is the only one has this name itself; several are in it. */
int ctf_out_commit(struct ctf_out *o);
void ctf_out_abandon(struct ctf_out *o); /* removes it; also after a failed ctf_out_commit() */

/* Functions return NULL, with the message set, after an error. */
struct ctf_out_trace *ctf_out_add_trace(struct ctf_out *o, uint8_t order);

/* extra: fields of packets that users see; common: those of all events. Both may be NULL. name: of the class,
 * or NULL. events: how many kinds it will have; SIZE_MAX: unknown. */
struct ctf_out_class *ctf_out_add_class(struct ctf_out_trace *t, const struct ctf_clock *clock,
                                        const char *name, size_t events, const struct ctf_class *extra,
                                        const struct ctf_class *common);

void ctf_out_class_free(struct ctf_out_class *c); /* for ctf_out_folder.c */

/* name: of the file; if there is one already, it gets a number. NULL: a number only. */
struct ctf_out_stream *ctf_out_add_stream(struct ctf_out_class *c, const char *name);

/* Adds an event class with these fields, which may be NULL. Errors: TRACE_ERR_FORMAT if the fields refer to
 * others that do not exist, TRACE_ERR_UNSUPPORTED, TRACE_ERR_MEMORY. */
int ctf_out_add_event(struct ctf_out_class *c, const char *name, const struct ctf_class *specific,
                      const struct ctf_class *payload, struct ctf_out_event **out);

struct ctf_out_values {
    struct trace_value scopes[TRACE_SCOPES]; /* structures, or TRACE_NONE */
    const struct ctf_event_bits *bits; /* the same but for the packet's, as they are written; NULL: unknown */
    uint64_t align;                    /* of the bits */
    bool is_deferred; /* the scopes behind the packet's have not been read from the bits yet */
};

/* Reads the scopes if that was deferred. */
int ctf_out_values_read(struct ctf_out_values *values);

/* Appends an event at a time in cycles, at least that of the event before. Errors: TRACE_ERR_IO,
 * TRACE_ERR_MEMORY, TRACE_ERR_USAGE: nothing was written. */
int ctf_out_put(struct ctf_out_stream *s, const struct ctf_out_event *event, uint64_t time,
                struct ctf_out_values *values);

/* Ends the packet, if one has begun. */
int ctf_out_end_packet(struct ctf_out_stream *s);

/* So many events or packets are missing here. */
int ctf_out_lose(struct ctf_out_stream *s, uint64_t events, uint64_t packets);

#endif
