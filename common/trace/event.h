/* SPDX-License-Identifier: MIT
 * The event model: what every source yields and every sink accepts. An event is a call, one end of a call, or
 * something else that happened in the traced program or describes it. The kind of the event says which
 * members are valid. Calls, values and signatures are in model.h.
 */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include "base/api.h"
#include "trace/model.h"

TRACE_API_BEGIN

enum trace_event_kind {
    TRACE_EVENT_END,       /* not an event: the end of the trace */
    TRACE_EVENT_CALL,      /* a whole call; if flagged TRACE_CALL_INCOMPLETE, it never returned */
    TRACE_EVENT_ENTER,     /* a call was entered: function, arguments, backtrace */
    TRACE_EVENT_EXIT,      /* the call with this number returned: output arguments, return value */
    TRACE_EVENT_TAIL_EXIT, /* the call with this number ended with a tail call to another function */
    TRACE_EVENT_INSTANT,   /* a point in time; call->sig is the event's class, call->args are its fields */
    TRACE_EVENT_ALLOC,     /* the call created u.resource, or added a reference to it */
    TRACE_EVENT_FREE,      /* the call released u.resource; the size is usually unknown: 0 */
    TRACE_EVENT_RESOURCE_TYPE, /* declares u.resource_type */
    TRACE_EVENT_CONTEXT,       /* declares u.context */
    TRACE_EVENT_TRACER,        /* u.tracer, a module of the tracing tool, was active */
    TRACE_EVENT_MAPPING,       /* u.mapping: a file is mapped into the program's memory */
    TRACE_EVENT_HEAP,          /* u.heap: statistics of the allocator */
    TRACE_EVENT_MARK,          /* u.text names a point in time */
    TRACE_EVENT_ATTACHMENT,    /* u.attachment is a file that belongs to the trace */
    TRACE_EVENT_COMMENT,       /* u.text is a comment for human readers */
    TRACE_EVENT_LOSS,          /* u.loss: events are missing here */
    TRACE_EVENT_CLOCK,         /* u.clock_reading: what another clock showed at the event's time */
    TRACE_EVENT_SUM,           /* u.sum: several calls, of which the trace does not have the single ones */
    TRACE_EVENT_KINDS          /* the number of kinds */
};

/* Returns the name of the kind for messages, such as "call" or "allocation". The string is a constant. */
const char *trace_event_kind_name(enum trace_event_kind kind);

/* The origin of an event, which is what counts where trace_call.thread says something else. Lent until the
 * source is closed. Equal origins have the same address. */
struct trace_origin {
    int64_t process; /* process id; -1: unknown, likewise below */
    int64_t thread;
    int32_t cpu;
    int32_t stream;
    uint32_t contexts; /* one bit for each declared context that was active */
};

/* A type of resource that a program can allocate, such as memory or file descriptors. */
struct trace_resource_type {
    uint32_t id;             /* unique within the trace, from 1; 0: unknown */
    const char *name;        /* NULL: the type was never declared */
    const char *description; /* NULL: none */
    bool refcounted;         /* allocations add a reference, releases drop one */
    const char *flags;       /* other flags, separated by |: words, or bits as a number 0x…; NULL: none */
};

struct trace_resource {
    const struct trace_resource_type *type; /* lent until the source is closed */
    uint64_t id;   /* an address, a descriptor, …: unique among the live resources of the type */
    uint64_t size; /* in the type's unit: bytes of memory, 1 for a descriptor */
};

struct trace_context {
    uint32_t id; /* one bit of trace_origin.contexts */
    const char *name;
};

struct trace_tracer {
    uint32_t id;
    uint32_t major; /* version */
    uint32_t minor;
    const char *name;
};

#define TRACE_NO_OFFSET UINT64_MAX

struct trace_mapping {
    uint64_t from;   /* address */
    uint64_t to;     /* the address after the last byte */
    uint64_t offset; /* offset of `from` in the file, in bytes, or TRACE_NO_OFFSET */
    const char *path;
};

/* The members of struct mallinfo, and the bounds of the heap, in bytes unless noted otherwise. */
struct trace_heap {
    uint64_t bottom;        /* address */
    uint64_t top;           /* address */
    uint64_t lowest_block;  /* id of the lowest allocation; the highest address if there is none */
    uint64_t highest_block; /* id of the highest allocation; 0 if there is none */
    uint64_t arena;
    uint64_t ordblks; /* number of free chunks */
    uint64_t smblks;  /* number of free fast bins */
    uint64_t hblks;   /* number of mapped regions */
    uint64_t hblkhd;
    uint64_t usmblks;
    uint64_t fsmblks;
    uint64_t uordblks;
    uint64_t fordblks;
    uint64_t keepcost;
};

struct trace_attachment {
    const char *name;
    const char *path;
};

/* The groups of fields in which formats with typed fields keep what an event has. */
enum trace_scope {
    TRACE_SCOPE_PACKET,   /* of the part of the file that contains the event */
    TRACE_SCOPE_COMMON,   /* that all events of its stream have */
    TRACE_SCOPE_SPECIFIC, /* that the events of its class have */
    TRACE_SCOPE_PAYLOAD,  /* the arguments, as the file has them */
    TRACE_SCOPES
};

struct ctf_event_layout;

struct trace_record_class {
    const char *name;
    const char *uri;                          /* that says more about it; NULL: unknown */
    int64_t log_level;                        /* as a number of its tracer; INT64_MIN: unknown */
    const struct trace_property *environment; /* of the tracer, in its words: "hostname", "procname", … */
    size_t environment_count;
    const char *folder; /* of its trace, below the one that was opened; "": the same. NULL: unknown */
    const struct ctf_event_layout *layout; /* of CTF: the types of its fields; NULL: of another format */
};

/* An event as its file has it, also if it was understood as one end of a call. */
struct trace_record {
    const struct trace_record_class *type;   /* lent until the source is closed */
    struct trace_value scopes[TRACE_SCOPES]; /* TRACE_STRUCT, or TRACE_NONE */
    const char *file;                        /* that has it, without folders; lent likewise */
    uint64_t packet; /* number of the part of this file that has it; equal ones are in the same part */
    const struct ctf_event_bits *bits; /* of CTF: where its fields are in memory; NULL: of another format */
    bool is_deferred; /* neither the values behind the packet's nor the call's arguments have been read */
};

/* What is needed of events that have records: each less than the one before. */
enum trace_need {
    TRACE_NEEDS_ALL,
    TRACE_NEEDS_RECORDS, /* not the calls of which they tell */
    TRACE_NEEDS_PLACES,  /* and not their values: they are deferred */
};

/* Whether there are fields in other groups than the payload. r may be NULL. */
bool trace_record_has_contexts(const struct trace_record *r);

struct trace_clock_reading {
    const char *name; /* of the clock: "wall", "monotonic", …; a constant, or NULL: unknown */
    int64_t time;     /* nanoseconds; of a wall clock, since 1970-01-01 UTC */
};

/* The calls of a function that were made by the same chain of callers. */
struct trace_sum {
    const struct trace_function_sig *const *path; /* the function, its caller, … the outermost function */
    uint32_t depth;                               /* number of functions in the path, at least 1 */
    uint64_t count;                               /* of calls */
    uint64_t ticks; /* of a counter that they took in all, with the calls that they made */
};

struct trace_loss {
    uint64_t count;     /* number of lost events; 0: unknown */
    const char *reason; /* a few words */
    uint64_t packets;   /* number of parts of the file that are missing; 0: none, or unknown */
    bool is_of_stream;  /* the stream of the event's origin lacks them */
};

/* Everything it points to is lent until trace_source_release(), unless noted otherwise above. The two ends of
 * a call have the same number, which no other event with a call has. Both have the call's signature; an exit
 * has no value (TRACE_NONE) for the arguments that it does not tell. The time of an end, an allocation or a
 * release is the event's, whatever times its call has. */
struct trace_event {
    enum trace_event_kind kind;
    uint64_t number; /* the source's number of this event; for a call, its position in the order of entry */
    int64_t time;    /* nanoseconds on the source's clock, or TRACE_NO_TIME; for a whole call, of its entry */
    uint64_t ticks;  /* the counter from which the time was computed; see trace_clock.has_ticks */
    const struct trace_origin *origin; /* NULL: unknown */
    const struct trace_call *call;     /* for kinds TRACE_EVENT_CALL to TRACE_EVENT_FREE; otherwise NULL */
    const struct trace_record *record; /* NULL: the format has nothing more to say */
    union {
        struct trace_resource resource;                  /* ALLOC, FREE */
        const struct trace_resource_type *resource_type; /* RESOURCE_TYPE; lent until the source is closed */
        struct trace_context context;
        struct trace_tracer tracer;
        struct trace_mapping mapping;
        const struct trace_heap *heap;
        struct trace_attachment attachment;
        struct trace_loss loss;
        struct trace_clock_reading clock_reading;
        struct trace_sum sum;
        const char *text; /* MARK, COMMENT */
    } u;
    void *owner; /* private to the source */
};

/* The clock of the events' timestamps. */
struct trace_clock {
    const char *name;    /* "monotonic", …; NULL: unknown */
    int64_t resolution;  /* nanoseconds */
    int64_t wall_offset; /* nanoseconds from 1970-01-01 UTC to time 0 of this clock, or TRACE_NO_TIME */
    int64_t period;      /* nanoseconds after which the clock wraps to 0; 0: it never does */
    bool has_ticks;      /* times were computed from a counter: each event that has a time has ticks */
    uint64_t frequency;  /* of the counter, in Hz; 0: unknown, and a tick was taken for a nanosecond */
};

TRACE_API_END

#endif
