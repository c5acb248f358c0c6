/* SPDX-License-Identifier: MIT
 * Derives the TRACE_CALL_* bits (model.h) of a function's calls from its name. The trace does not contain
 * them. The rules are those of apitrace, so that call sets and dumps agree with apitrace's.
 */
#ifndef TRACE_CALL_FLAGS_H
#define TRACE_CALL_FLAGS_H

#include <stdint.h>

uint32_t trace_call_flags(const char *function_name);

#endif
