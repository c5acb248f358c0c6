/* SPDX-License-Identifier: MIT
 * A traced thread, with its ring and its current GL context.
 */
#ifndef CAPTURE_CAPTURE_THREAD_H
#define CAPTURE_CAPTURE_THREAD_H

#include "records/ring_pool.h"

#include "runtime/spec.h"

#include <stdbool.h>
#include <stdint.h>

struct capture_call;
struct gl_context;
struct told_stacks;

struct capture_thread {
    uint32_t generation; /* generation of the process when the ring was taken; 0: never */
    /* The stub that the program has called and that has not returned, or NULL. Calls that the library makes
     * within it are not the program's. Its stack frame may no longer exist; see call_nesting.h. */
    const struct capture_call *outermost;
    /* Equal to `outermost` if that call is not recorded because it is not wanted, and nothing has to be done
     * at its leave. Otherwise NULL. */
    const struct capture_call *left_out;
    /* Equal to `outermost` if some input of that call could not be read before the call. Otherwise NULL, or a
     * call that has returned. */
    const struct capture_call *missed;
    /* The arrays of vertices that could not be read: one bit for each (enum gl_array). */
    uint64_t missed_arrays;
    uint64_t again_arrays;      /* the before hook runs again for these arrays; 0: it does not */
    struct ring_producer ring;  /* control is NULL if this thread does not record */
    struct gl_context *context; /* the current context; never NULL once the thread records */
    /* Set by a before hook: this call is not recorded, and fake calls replace it. */
    bool omit;
    bool in_body; /* pieces of a record's body have been published, but not the record */
    /* Set by a hook. It runs after the call's leave has been recorded (or the call is over and was omitted),
     * and adds fake calls that must follow the call. */
    void (*complete)(struct capture_thread *t);
    union spec_arg draw_display, drawable; /* of the last call that bound a context */
    bool binds_surface;                    /* the drawable is an EGLSurface */
    uint32_t linked_program;               /* the program of the glLinkProgram call that is being completed */
    uint32_t pinned_buffer;                /* the buffer of a glBufferData call, likewise */
    uint32_t image_target;                 /* for an image: the target of its texture */
    void *image;                           /* the EGLImage; NULL: it is a pixmap */
    uint32_t number;                       /* number of the thread in the trace */
    bool notified_mapping;     /* set while a mapping is being made; see capture_notified_write() */
    uint32_t calls_without;    /* number of calls since the last failed attempt to get a ring; 0: there was no
                                  attempt, or the thread has a ring */
    struct told_stacks *told;  /* what the ring was told of stacks; NULL: nothing yet */
    const void *waiting_frame; /* of the call whose stack is recorded once a ring is borrowed; NULL: none */
};

extern _Thread_local struct capture_thread capture_self __attribute__((tls_model("initial-exec")));

/* Takes a ring for the calling thread, and starts capture in this process if necessary. The thread keeps the
 * ring until it ends; the end is noticed without a call. */
void capture_thread_start(struct capture_thread *t);

/* Call this for a call of a thread without a ring. Tries to get a ring from time to time. Returns true if the
 * thread has a ring now, or if it can borrow the shared one. Otherwise the call is counted as lost. */
bool capture_thread_retry(struct capture_thread *t);

/* The segment of the process; NULL: it is not recorded. */
struct segment_control *capture_thread_segment(void);

/* Writes a record of a thread without a ring: lends it the shared ring until `write` has returned. */
void capture_thread_borrow(struct capture_thread *t,
                           void (*write)(struct capture_thread *t, const void *call), const void *call);

/* Need a call of f that begins now not be recorded? */
static inline bool capture_leaves_out(const struct capture_thread *t, const struct spec_function *f)
{
    const struct segment_control *s = t->ring.control != NULL ? t->ring.segment : capture_thread_segment();
    return s != NULL && call_filter_leaves_out(&s->filter, f);
}

/* Makes c the thread's context. c must not be NULL. */
void capture_thread_set_context(struct capture_thread *t, struct gl_context *c);

#endif
