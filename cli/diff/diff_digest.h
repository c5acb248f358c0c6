/* SPDX-License-Identifier: MIT
 * A call as a 64-bit hash: equal for calls of the same function with the same arguments and return value, as
 * far as the rules want these compared. Numbers, threads and backtraces of calls do not count; nor does it
 * whether an integer was recorded as an enum, a bitmask or a plain number. By rules that are like_apitrace a
 * name is not a number, but 1, 1.0 and true are the same, as are an address and a number; a call's flags do
 * not count; and what diff_matcher.h calls junk are calls of glGetError that found none.
 */
#ifndef CLI_DIFF_DIGEST_H
#define CLI_DIFF_DIGEST_H

#include "diff/diff_rules.h"

uint64_t diff_digest_call(const struct diff_rules *r, const struct diff_function *f,
                          const struct trace_call *call);

/* A value for itself, by the rules for all values. */
uint64_t diff_digest_value(const struct diff_rules *r, const struct trace_value *v);

#endif
