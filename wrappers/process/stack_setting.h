/* SPDX-License-Identifier: MIT
 * The setting of which functions are recorded with backtraces, and how deep: APITRACE_BACKTRACE, as for
 * apitrace, and TRACE_CLI_BACKTRACE_DEPTH.
 */
#ifndef PROCESS_STACK_SETTING_H
#define PROCESS_STACK_SETTING_H

#include "records/record.h"

#include <stdbool.h>
#include <stdint.h>

#define STACK_FUNCTIONS_ENVIRONMENT "APITRACE_BACKTRACE"
#define STACK_DEPTH_ENVIRONMENT     "TRACE_CLI_BACKTRACE_DEPTH"
#define STACK_DEPTH                 10 /* default number of frames, the same as in apitrace */
#define STACK_FUNCTION_LIMIT        8192

struct stack_setting {
    unsigned depth;                             /* 1 to RECORD_STACK_PLACES */
    uint64_t wanted[STACK_FUNCTION_LIMIT / 64]; /* one bit for each function */
};

extern struct stack_setting stack_setting;

/* Reads the setting. Returns true if any function is wanted. */
bool stack_setting_read(void);

static inline bool stack_setting_wants(uint32_t function)
{
    return function < STACK_FUNCTION_LIMIT && (stack_setting.wanted[function / 64] >> function % 64 & 1) != 0;
}

#endif
