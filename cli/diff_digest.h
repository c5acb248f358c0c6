/* SPDX-License-Identifier: MIT
 * A call as a 64-bit hash: equal for calls of the same function with the same arguments and return value, as
 * far as the rules want these compared. Numbers, threads and backtraces of calls do not count; nor does it
 * whether an integer was recorded as an enum, a bitmask or a plain number.
 */
#ifndef CLI_DIFF_DIGEST_H
#define CLI_DIFF_DIGEST_H

#include "diff_rules.h"

uint64_t diff_digest_call(const struct diff_rules *r, const struct diff_function *f,
                          const struct trace_call *call);

#endif
