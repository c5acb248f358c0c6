/* SPDX-License-Identifier: MIT
 * Why no call of a program was recorded, as far as its file tells.
 */
#ifndef CLI_NO_CALLS_H
#define CLI_NO_CALLS_H

/* Returns a reason that completes "no call was recorded: PROGRAM …", or NULL if the file shows none. program:
 * as the user gave it; it is looked up in PATH like execvp() does. */
const char *no_calls_reason(const char *program);

#endif
