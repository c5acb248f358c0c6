/* SPDX-License-Identifier: MIT
 * The call stacks of a trace's threads, from the ends of calls: which call runs in which, and how long each
 * took. Whole calls are taken as they come: they do not tell which of them are within others. Debug groups
 * (glPushDebugGroup and the like) are on the stack of the thread that pushed them.
 */
#ifndef TRACE_THREAD_STACKS_H
#define TRACE_THREAD_STACKS_H

#include "trace/event.h"
#include "trace/stacks/stack_functions.h"

/* Calls of a thread that are remembered: those before them are forgotten. */
#define THREAD_STACK_MAX ((size_t)1 << 18)

#define STACK_NO_GROUP UINT32_MAX

/* A call that runs, or a debug group that is open. */
struct stack_frame {
    uint64_t number;     /* of the call */
    uint64_t begin;      /* ticks or nanoseconds; likewise below */
    uint64_t in_callees; /* time that calls which it made took */
    uint32_t function;   /* number in the table */
    uint32_t group;  /* of the innermost open debug group, or STACK_NO_GROUP; of a group, the one around it */
    uint32_t pushes; /* the debug group that the call opens when it returns, or STACK_NO_GROUP */
    uint32_t mark;   /* of the listener */
    bool is_group;
    bool is_wanted;
    bool has_callees;
};

struct thread_stack {
    int64_t process; /* -1: unknown; likewise below */
    int64_t thread;
    struct stack_frame *frames; /* NULL: count is 0. So threads that have ended have none */
    size_t count;
    size_t room;
    uint32_t index; /* in the order of occurrence */
    uint32_t group; /* the innermost open debug group, or STACK_NO_GROUP */
};

/* Who wants to know. Functions return 0, or an error, which ends the reading. */
struct stack_listener {
    void *context;
    bool has_ticks;  /* times are ticks; otherwise nanoseconds */
    bool has_groups; /* debug groups are frames */
    /* Returns true if the call is wanted. Others are on the stack, with is_wanted unset. NULL: all are. */
    bool (*wants)(void *context, const struct trace_event *event);
    void *wants_context;
    /* The last frame has begun. NULL: nobody wants to know. */
    int (*begin)(void *context, struct thread_stack *t);
    /* The last frame has ended, and is removed afterwards. is_told: the trace has its end; otherwise, the end
     * is that of a call that it was made by. */
    int (*end)(void *context, struct thread_stack *t, uint64_t duration, bool is_told);
};

/* Initialise it with thread_stacks_init(). */
struct thread_stacks {
    struct stack_listener listener;
    struct stack_functions functions;
    struct thread_stack **threads;
    size_t thread_count;
    size_t thread_room;
    struct int_map indexes; /* by process and thread */
    const struct trace_origin *last_origin;
    struct thread_stack *last_thread;
    struct stack_frame *spare; /* of a thread that had no more calls, for the next that has one; or NULL */
    size_t spare_room;
    uint64_t last_time;
    uint64_t running;   /* wanted calls that have not ended */
    uint64_t unmatched; /* ends of calls whose beginning is missing */
    uint64_t open;      /* wanted calls whose end is missing; complete after thread_stacks_finish() */
    uint64_t deduced;   /* calls whose end is missing, and which ended with those that made them */
};

void thread_stacks_init(struct thread_stacks *s, const struct stack_listener *listener);
void thread_stacks_fini(struct thread_stacks *s);

/* Finds a thread, or adds it. otherwise: the thread if there is no origin. Errors: TRACE_ERR_MEMORY. */
int thread_stacks_find_thread(struct thread_stacks *s, const struct trace_origin *o, int64_t otherwise,
                              struct thread_stack **out);

/* Errors: TRACE_ERR_MEMORY, and those of the listener. */
int thread_stacks_add(struct thread_stacks *s, const struct trace_event *event);

/* The trace has ended: open debug groups end, and open calls are counted. */
int thread_stacks_finish(struct thread_stacks *s);

#endif
