/* SPDX-License-Identifier: MIT
 * The event model: what every source yields and every sink takes. An event is a call, one end of a call, or
 * something else that happened in the traced program or is known of it. Its kind says which members mean
 * something. Calls, values and signatures are in model.h.
 */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include "base/api.h"
#include "trace/model.h"

TRACE_API_BEGIN

enum trace_event_kind {
    TRACE_EVENT_END,           /* not an event: the trace ends here */
    TRACE_EVENT_CALL,          /* call was entered and left; flagged TRACE_CALL_INCOMPLETE: was never left */
    TRACE_EVENT_ENTER,         /* call was entered: function, arguments, backtrace */
    TRACE_EVENT_EXIT,          /* the call of this number was left: arguments that it set, return value */
    TRACE_EVENT_TAIL_EXIT,     /* the call of this number ended by calling another in its place */
    TRACE_EVENT_INSTANT,       /* call->sig names the event's class, call->args are its fields */
    TRACE_EVENT_ALLOC,         /* call created u.resource, or added a reference to it */
    TRACE_EVENT_FREE,          /* call released u.resource, whose size is usually not told: 0 */
    TRACE_EVENT_RESOURCE_TYPE, /* u.resource_type is declared */
    TRACE_EVENT_CONTEXT,       /* u.context is declared */
    TRACE_EVENT_TRACER,        /* u.tracer, a part of the tracing tool, was at work */
    TRACE_EVENT_MAPPING,       /* u.mapping: a file is in the program's memory */
    TRACE_EVENT_HEAP,          /* u.heap: the allocator's statistics */
    TRACE_EVENT_MARK,          /* u.text names a moment */
    TRACE_EVENT_ATTACHMENT,    /* u.attachment belongs to the trace */
    TRACE_EVENT_COMMENT,       /* u.text is a line that no program needs to understand */
    TRACE_EVENT_LOSS,          /* u.loss: events are missing here */
    TRACE_EVENT_KINDS          /* how many kinds there are */
};

/* "call", "allocation", …: what an event of that kind is called in messages; a constant. */
const char *trace_event_kind_name(enum trace_event_kind kind);

/* Where an event comes from. Lent until the source is closed; equal origins have one address. */
struct trace_origin {
    int64_t process; /* its id; -1: unknown, likewise below */
    int64_t thread;
    int32_t cpu;
    int32_t stream;
    uint32_t contexts; /* a bit for each declared context that was active */
};

/* A kind of things that a program can allocate: memory, file descriptors, … */
struct trace_resource_type {
    uint32_t id;             /* within the trace, from 1; 0: unknown */
    const char *name;        /* NULL: never declared */
    const char *description; /* NULL: none */
    bool refcounted;         /* allocations add a reference, releases take one away */
};

struct trace_resource {
    const struct trace_resource_type *type; /* lent until the source is closed */
    uint64_t id;   /* an address, a descriptor, …: unique among the live ones of its type */
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
    uint64_t to;     /* address behind it */
    uint64_t offset; /* bytes in the file at `from`, or TRACE_NO_OFFSET */
    const char *path;
};

/* What mallinfo() returns, and the heap's bounds; bytes unless said otherwise. */
struct trace_heap {
    uint64_t bottom;        /* address */
    uint64_t top;           /* address */
    uint64_t lowest_block;  /* id of an allocation; the highest address if there is none */
    uint64_t highest_block; /* likewise; 0 */
    uint64_t arena;
    uint64_t ordblks; /* free chunks */
    uint64_t smblks;  /* free fast bins */
    uint64_t hblks;   /* mapped regions */
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

struct trace_loss {
    uint64_t count;     /* events; 0: unknown */
    const char *reason; /* a few words */
};

/* What it points to is lent until trace_source_release(), unless said otherwise above. */
struct trace_event {
    enum trace_event_kind kind;
    uint64_t number; /* the source's own number of this event; of a call, the order of enters */
    int64_t time;    /* nanoseconds on the source's clock, or TRACE_NO_TIME; of a call, of its enter */
    const struct trace_origin *origin; /* NULL: unknown */
    const struct trace_call *call;     /* CALL to FREE; else NULL */
    union {
        struct trace_resource resource;                  /* ALLOC, FREE */
        const struct trace_resource_type *resource_type; /* RESOURCE_TYPE; lent until the source is closed */
        struct trace_context context;
        struct trace_tracer tracer;
        struct trace_mapping mapping;
        const struct trace_heap *heap;
        struct trace_attachment attachment;
        struct trace_loss loss;
        const char *text; /* MARK, COMMENT */
    } u;
    void *owner; /* the source's own; whoever takes the event leaves it alone */
};

/* A clock that events are stamped by. */
struct trace_clock {
    const char *name;    /* "monotonic", …; NULL: unknown */
    int64_t resolution;  /* nanoseconds between two readings */
    int64_t wall_offset; /* nanoseconds since 1970-01-01 UTC at time 0, or TRACE_NO_TIME */
    int64_t period;      /* nanoseconds after which it starts again at 0; 0: never */
};

TRACE_API_END

#endif
