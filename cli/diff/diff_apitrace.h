/* SPDX-License-Identifier: MIT
 * Prints differences as `apitrace diff --tool=python` does, with one call on each line. A call that only one
 * trace has follows "- " or "+ ". A call that has changed follows "| " and shows the old and new values.
 */
#ifndef CLI_DIFF_APITRACE_H
#define CLI_DIFF_APITRACE_H

#include "diff/diff_printer.h"

/* Prints all calls by way of p->out to the standard output. Both traces must have been loaded with `named`
 * and with rules that are like_apitrace. */
int diff_put_like_apitrace(struct diff_printer *p);

#endif
