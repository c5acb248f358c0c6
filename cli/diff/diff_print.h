/* SPDX-License-Identifier: MIT
 * Prints the differences of two traces on the standard output: like apitrace, unified, or side by side. Reads
 * both traces again, and only formats the calls that are printed.
 */
#ifndef CLI_DIFF_PRINT_H
#define CLI_DIFF_PRINT_H

#include "diff/diff_printer.h"

/* Both traces must have been loaded with `named`, unless the format is unified without colour. */
int diff_print(struct diff_trace *a, struct diff_trace *b, const struct diff_script *script,
               const struct diff_style *style);

#endif
