/* SPDX-License-Identifier: MIT
 * Finds out from a program's file why none of its calls were recorded.
 */
#ifndef CLI_NO_CALLS_H
#define CLI_NO_CALLS_H

/* Returns a reason that completes "no call was recorded: PROGRAM …", or NULL if the file shows none. program:
 * as the user gave it; it is searched for in PATH, as by execvp(). */
const char *no_calls_reason(const char *program);

#endif
