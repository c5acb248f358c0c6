/* SPDX-License-Identifier: MIT
 * What profiles of every type begin with.
 */
#ifndef SPEEDSCOPE_PROFILE_HEAD_H
#define SPEEDSCOPE_PROFILE_HEAD_H

#include "formats/shared/log_output.h"

#include <stdbool.h>
#include <stdint.h>

struct profile_head {
    const char *type;
    uint64_t process; /* 0: unknown; likewise the thread */
    uint64_t thread;
    bool has_times; /* values are nanoseconds; otherwise they have no unit */
    int64_t first;  /* value */
    int64_t last;
    bool follows; /* another profile */
};

/* Writes the object up to the members that depend on the type. Errors: TRACE_ERR_IO. */
int profile_head_put(struct log_output *out, const struct profile_head *head);

#endif
