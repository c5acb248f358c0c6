/* SPDX-License-Identifier: MIT
 * Compares addresses and names of objects by role. When a value first occurs, the value at the same place in
 * the other trace becomes its counterpart. From then on, each must occur where the other does.
 */
#ifndef CLI_DIFF_ROLES_H
#define CLI_DIFF_ROLES_H

#include "diff/diff_align.h"
#include "diff/diff_trace.h"

/* Reads the calls of both traces that correspond according to `in`. *out receives the hunks of `in`, and a
 * hunk for each pair of calls with values that are not each other's counterparts. Such values become
 * counterparts, so that one change is reported once. The caller owns *out. */
int diff_check_roles(struct diff_trace *a, struct diff_trace *b, const struct diff_rules *rules,
                     const struct diff_script *in, struct diff_script *out);

#endif
