/* SPDX-License-Identifier: MIT
 * The differences of two traces as text on the standard output: like apitrace's, unified, or side by side.
 * Both traces are read again, and only what is printed is formatted.
 */
#ifndef CLI_DIFF_PRINT_H
#define CLI_DIFF_PRINT_H

#include "diff/diff_printer.h"

/* Both traces must have been loaded with `named`, unless the format is unified and without colour. */
int diff_print(struct diff_trace *a, struct diff_trace *b, const struct diff_script *script,
               const struct diff_style *style);

#endif
