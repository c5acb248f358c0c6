/* SPDX-License-Identifier: MIT
 * What a function's name says about its calls: TRACE_CALL_* bits (model.h).
 * The trace does not hold them; the rules are those of apitrace, so that call sets and dumps agree with it.
 */
#ifndef TRACE_CALL_FLAGS_H
#define TRACE_CALL_FLAGS_H

#include <stdint.h>

uint32_t trace_call_flags(const char *function_name);

#endif
