/* SPDX-License-Identifier: MIT
 * The differences of two traces as text on the standard output: unified, or side by side.
 * Both traces are read again, and only what is printed is formatted.
 */
#ifndef CLI_DIFF_PRINT_H
#define CLI_DIFF_PRINT_H

#include "diff_align.h"
#include "diff_trace.h"

#define DIFF_WHOLE SIZE_MAX /* as context: all calls, without headings */

struct diff_style {
    bool side_by_side;
    bool headings;  /* lines that say where each group of differences is */
    size_t context; /* calls shown around a difference */
    unsigned width; /* side by side: columns of both sides together */
    bool call_nos;
    bool arg_names;
    bool color;
};

/* Side by side, both traces must have been loaded with `named`. */
int diff_print(struct diff_trace *a, struct diff_trace *b, const struct diff_script *script,
               const struct diff_style *style);

#endif
