/* SPDX-License-Identifier: MIT
 * What the replay gets next: a call with its function looked up, or consecutive plain calls of a thread, with
 * their arguments as the driver wants them.
 */
#ifndef RETRACE_READY_CALL_H
#define RETRACE_READY_CALL_H

#include <stdint.h>

#include "formats/apitrace/read/plain_calls.h"
#include "trace/model.h"

struct replay_function;

struct ready_call {
    const struct trace_call *call; /* NULL: these are plain calls */
    union {
        struct replay_function *function; /* of `call` */
        struct trace_plain_part plain;    /* the owners of functions are struct replay_function */
    };
    uint64_t number; /* of the first one, if there are several */
    uint32_t thread;
    uint32_t flags; /* enum trace_call_flag */
};

#endif
