/* SPDX-License-Identifier: MIT
 * What is measured about a replay: a record for each call, frame and debug group, in their order.
 */
#ifndef PROFILE_RECORD_H
#define PROFILE_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum profile_kind {
    PROFILE_CALL,        /* of OpenGL */
    PROFILE_WINDOW_CALL, /* of GLX or EGL */
    PROFILE_FRAME,       /* ends here */
    PROFILE_PUSH,        /* a debug group begins */
    PROFILE_POP,         /* and ends */
    PROFILE_MARK,        /* a single point that the program has named */
};

/* In nanoseconds since the profile began, or in bytes. */
struct profile_span {
    int64_t start, end;
};

struct profile_record {
    enum profile_kind kind;
    bool is_draw;  /* the GPU works for this call */
    bool has_gpu;  /* gpu is known */
    uint64_t call; /* its number */
    uint32_t thread;
    const char *name;   /* of the function; lent until the profile is closed */
    char *label;        /* of a group or mark, owned; may be NULL */
    uint64_t program;   /* name in the trace; 0: none */
    const void *shared; /* identifies the contexts in which the program has that name */
    struct profile_span cpu, gpu, vsize, rss;
    int64_t pixels; /* that have passed all tests */

    /* Queries whose results are not there yet; 0: none. See gpu_queries.h. */
    unsigned gpu_start, gpu_end, gpu_elapsed, samples;
};

/* Something that is made of the records. */
struct profile_output {
    void (*add)(struct profile_output *o, const struct profile_record *record);
    /* Completes the output and frees it. Errors: TRACE_ERR_IO. */
    int (*close)(struct profile_output *o);
};

/* Returns nanoseconds since some point in the past. */
static inline int64_t profile_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
