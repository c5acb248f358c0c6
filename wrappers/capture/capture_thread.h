/* SPDX-License-Identifier: MIT
 * A traced thread: its ring and its current GL context.
 */
#ifndef CAPTURE_CAPTURE_THREAD_H
#define CAPTURE_CAPTURE_THREAD_H

#include "records/ring_pool.h"

#include <stdbool.h>
#include <stdint.h>

struct capture_call;
struct gl_context;

struct capture_thread {
    uint32_t generation; /* of the process when the ring was taken; 0: never */
    /* The stub that the program entered and has not left, NULL for none: calls that the library itself makes
     * within are not the program's. It may be gone: see call_nesting.h. */
    const struct capture_call *outermost;
    /* That call, when some of what it reads could not be read before it; else NULL, or one that was left. */
    const struct capture_call *missed;
    uint64_t missed_arrays;     /* … in arrays of vertices: a bit for each (enum gl_array) */
    uint64_t again_arrays;      /* the before hook runs once more, for these; 0: it does not */
    struct ring_producer ring;  /* control is NULL when this thread does not record */
    struct gl_context *context; /* current; never NULL once the thread records */
    /* Set by a before hook: this call is not recorded, fake calls stand for it. */
    bool omit;
    bool in_body; /* pieces of a record's body are published, the record itself is not */
    /* Set by a hook: run once its call is recorded as left (or is over and omitted), to add fake calls that
     * belong behind it.
     */
    void (*complete)(struct capture_thread *t);
    uint32_t linked_program; /* what glLinkProgram's completion is about */
    uint32_t image_target;   /* … of an image: the target of the texture that shows it */
    uint32_t number;         /* in the trace */
    bool notified_mapping;   /* of a mapping that is being made: see capture_notified_write() */
    uint32_t calls_without;  /* since a ring was looked for in vain; 0: none was, or it has one */
};

extern _Thread_local struct capture_thread capture_self __attribute__((tls_model("initial-exec")));

/* Takes a ring for the calling thread, starting capture in this process if need be. The ring is kept until
 * the thread's very end, which needs no call. */
void capture_thread_start(struct capture_thread *t);

/* For a thread without a ring that makes a call: looks for one again now and then. True when the thread has a
 * ring now, or can borrow the common one; else the call is counted as lost. */
bool capture_thread_retry(struct capture_thread *t);

/* Write a record of a thread without a ring: lends it the common one until `write` has returned. */
void capture_thread_borrow(struct capture_thread *t,
                           void (*write)(struct capture_thread *t, const void *call), const void *call);

/* Makes c, never NULL, the thread's context. */
void capture_thread_set_context(struct capture_thread *t, struct gl_context *c);

#endif
