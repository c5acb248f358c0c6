/* SPDX-License-Identifier: MIT
 * A call as the replay gets it: with its function looked up, and with its arguments as the driver wants them
 * if they are plain numbers.
 */
#ifndef RETRACE_READY_CALL_H
#define RETRACE_READY_CALL_H

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
};

#endif
