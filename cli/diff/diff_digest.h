/* SPDX-License-Identifier: MIT
 * Hashes a call to 64 bits. Calls have equal digests if they are of the same function and have the same
 * arguments and return value, as far as the rules compare these. The number, thread and backtrace of a call
 * do not count. An enum, a bitmask and a plain number of the same value are equal.
 *
 * With rules that are like_apitrace, some of this is different: a name and a number are not equal; 1, 1.0 and
 * true are, and so are an address and a number; the flags of a call do not count. Calls of glGetError that
 * return no error are junk (diff_matcher.h).
 */
#ifndef CLI_DIFF_DIGEST_H
#define CLI_DIFF_DIGEST_H

#include "diff/diff_rules.h"

uint64_t diff_digest_call(const struct diff_rules *r, const struct diff_function *f,
                          const struct trace_call *call);

/* Returns the digest of a value alone, by the rules for all values. */
uint64_t diff_digest_value(const struct diff_rules *r, const struct trace_value *v);

#endif
