/* SPDX-License-Identifier: MIT
 * Which elements of two sequences correspond, as Python's difflib.SequenceMatcher has it, and with it
 * apitrace: the longest common run first, then the same before and behind it (J. W. Ratcliff and J. A.
 * Obershelp). The time may grow with the square of the length, so that it is for short sequences;
 * diff_align() is for all.
 */
#ifndef CLI_DIFF_MATCHER_H
#define CLI_DIFF_MATCHER_H

#include "diff/diff_align.h"

#include <stdbool.h>

/* Elements with this bit are junk: a common run does not begin with them. Elements of which a long sequence
 * has very many are avoided in the same way, but not by their bits. */
#define DIFF_JUNK UINT64_C(1)

/* Appends the edit script from a to b. *given_up becomes true, and nothing is appended, if that would take
 * too long. Without has_junk, all bits of the elements count. w sees how many elements of both are matched.
 * TRACE_ERR_MEMORY. */
int diff_match(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count, bool has_junk,
               struct trace_progress_callback w, struct diff_script *out, bool *given_up);

#endif
