/* SPDX-License-Identifier: MIT
 * --check: compares what the driver answers with what the program got in the trace: results, and the memory
 * that calls have written.
 */
#ifndef RETRACE_REPLAY_CHECK_H
#define RETRACE_REPLAY_CHECK_H

#include <stdio.h>

#include "replayer.h"

/* Call it directly before the driver's function. Fills outputs with what the call will not write. Returns
 * true if there are any. */
bool replay_check_prepare(struct replayer *r, struct replay_call *c);

/* Call it directly after the driver's function. Prints differences, unless r->check is disabled. failed: the
 * call had an error, so that its outputs are undefined. */
void replay_check_answers(struct replayer *r, struct replay_call *c, bool failed);

/* Counts a comparison of numbers, and prints a difference unless they are the same. Likewise. */
void replay_check_number(struct replayer *r, struct replay_call *c, uint64_t is, uint64_t was, bool same);

/* Counts an answer that is a new name or number: `is` and `was` say whether there is one. Likewise. */
void replay_check_new_name(struct replayer *r, struct replay_call *c, bool is, bool was);

/* Returns why the results of a function are not compared, or CHECK_COMPARED. */
enum check_reason replay_check_reason(const struct replay_function *fn);

/* Prints what was compared, what was left out, and what differs. */
void replay_check_summary(const struct replayer *r, FILE *out);

#endif
