/* SPDX-License-Identifier: MIT
 * Values compared by role: the first time that an address or an object's name is met in corresponding calls,
 * it and its counterpart in the other trace are one; from then on each must come where the other comes.
 */
#ifndef CLI_DIFF_ROLES_H
#define CLI_DIFF_ROLES_H

#include "diff/diff_align.h"
#include "diff/diff_trace.h"

/* Reads both traces side by side, as far as `in` has them correspond, and writes to *out the hunks of `in`
 * and one for each two calls with values that are not each other's counterparts. Such a value gets its new
 * counterpart, so that one exchange is reported once. The caller owns *out. */
int diff_check_roles(struct diff_trace *a, struct diff_trace *b, const struct diff_rules *rules,
                     const struct diff_script *in, struct diff_script *out);

#endif
