/* SPDX-License-Identifier: MIT
 * A call as the replay gets it: with its function looked up, and with its arguments as the driver wants them
 * if they are plain numbers.
 */
#ifndef RETRACE_READY_CALL_H
#define RETRACE_READY_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/spec.h"
#include "trace/model.h"

struct replay_function;

struct ready_call {
    struct replay_function *function;
    const struct trace_call *call; /* NULL: it is a plain one, and args has all there is to know */
    const union spec_arg *args;    /* one for each parameter */
    uint64_t number;
    uint32_t thread;
    uint32_t flags; /* enum trace_call_flag */
    uint32_t more;  /* number of plain calls of the same thread that follow it, if it is one; see below */
};

/* Sets `more` of consecutive calls. */
static inline void ready_calls_count_plain(struct ready_call *calls, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        bool joins = i + 1 < count && calls[i].call == NULL && calls[i + 1].call == NULL &&
                     calls[i].thread == calls[i + 1].thread && calls[i + 1].more < UINT32_MAX;
        calls[i].more = joins ? calls[i + 1].more + 1 : 0;
    }
}

#endif
