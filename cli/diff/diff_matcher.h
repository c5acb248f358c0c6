/* SPDX-License-Identifier: MIT
 * Matches two sequences with the result of Python's difflib.SequenceMatcher, which apitrace uses: it takes
 * the longest common run, then does the same before and after it (J. W. Ratcliff and J. A. Obershelp). The
 * time may be quadratic, so this is for short sequences. diff_align() is for sequences of any length.
 */
#ifndef CLI_DIFF_MATCHER_H
#define CLI_DIFF_MATCHER_H

#include "diff/diff_align.h"

#include <stdbool.h>

/* Elements with this bit are junk: a common run does not begin with them. Nor does it begin with an element
 * that is very frequent in a long sequence. */
#define DIFF_JUNK UINT64_C(1)

/* Appends the edit script from a to b. If that would take too long, *given_up becomes true and nothing is
 * appended. Without has_junk, all bits belong to the hash. w is told how many elements of both sequences are
 * matched. Returns 0 or TRACE_ERR_MEMORY. */
int diff_match(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count, bool has_junk,
               struct trace_progress_callback w, struct diff_script *out, bool *given_up);

#endif
