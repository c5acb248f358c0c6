/* SPDX-License-Identifier: MIT
 * The differences of two traces as `apitrace diff --tool=python` prints them: each call in a line, behind "-
 * " or
 * "+ " if only one of the traces has it, behind "| " with its old and new values if it has changed.
 */
#ifndef CLI_DIFF_APITRACE_H
#define CLI_DIFF_APITRACE_H

#include "diff/diff_printer.h"

/* Prints all calls to p->out, and it to the standard output. Both traces must have been loaded with `named`,
 * and by rules that are like_apitrace. */
int diff_put_like_apitrace(struct diff_printer *p);

#endif
