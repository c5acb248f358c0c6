/* SPDX-License-Identifier: MIT
 * Lists of function names, as in APITRACE_BACKTRACE.
 */
#ifndef PROCESS_FUNCTION_NAMES_H
#define PROCESS_FUNCTION_NAMES_H

#include <stdbool.h>

/* Does the list have the name? It consists of names, and of beginnings of names that end with *, separated by
 * blanks or commas. Words that begin with # are passed over. */
bool function_names_have(const char *list, const char *name);

#endif
