/* SPDX-License-Identifier: MIT
 * What --check has compared, and what it has found (replay_check.h).
 */
#ifndef RETRACE_CHECK_COUNTS_H
#define RETRACE_CHECK_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* What is left out, because it cannot be the same in another run. */
enum check_reason {
    CHECK_COMPARED,
    CHECK_NAME, /* of an object that the call creates */
    CHECK_POINTER,
    CHECK_TIME,
    CHECK_DRIVER,
    CHECK_WINDOW, /* without windows */
    CHECK_FAILED, /* of a call with an error, after which outputs are undefined */
    CHECK_REASON_COUNT,
};

/* Zero-initialise it before use. */
struct replay_check {
    bool enabled;
    uint64_t answers[CHECK_REASON_COUNT]; /* number of results and arrays, by what was done with them */
    uint64_t differing_calls;
    unsigned reported; /* number of calls whose differences were printed */
};

#endif
