/* SPDX-License-Identifier: MIT
 * A traced thread: its ring and its current GL context.
 */
#ifndef WRAPPERS_CAPTURE_THREAD_H
#define WRAPPERS_CAPTURE_THREAD_H

#include "gl_context.h"
#include "shared_ring.h"

struct capture_thread {
    uint32_t generation;        /* of the process when the ring was taken; 0: never */
    uint32_t depth;             /* stubs entered and not left: calls that the library itself makes are not the
                                   program's */
    struct ring_producer ring;  /* control is NULL when this thread does not record */
    bool context_is_new;        /* the context became current for the first time ever */
    struct gl_context *context; /* current; never NULL once the thread records */
};

extern _Thread_local struct capture_thread capture_self __attribute__((tls_model("initial-exec")));

/* Takes a ring for the calling thread, starting capture in this process if need be. */
void capture_thread_start(struct capture_thread *t);

/* Gives the ring back when the thread ends. */
void capture_thread_end(struct capture_thread *t);

#endif
