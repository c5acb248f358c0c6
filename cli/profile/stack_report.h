/* SPDX-License-Identifier: MIT
 * The stacks of a tree as text for people, as "llvm-xray stack" prints it.
 */
#ifndef CLI_STACK_REPORT_H
#define CLI_STACK_REPORT_H

#include "profile/stack_tops.h"

/* Prints the ten stacks with the longest and with the most calls at their ends: of all together, or of each
 * thread. names: by number of the function. Errors: TRACE_ERR_MEMORY. */
int stack_report_print(const struct call_tree *t, const struct stack_tops *tops, bool by_thread,
                       const char *const *names);

#endif
