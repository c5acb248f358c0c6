/* SPDX-License-Identifier: MIT
 * The differences of two traces as text on the standard output: like apitrace's, unified, or side by side.
 * Both traces are read again, and only what is printed is formatted.
 */
#ifndef CLI_DIFF_PRINT_H
#define CLI_DIFF_PRINT_H

#include "diff/diff_align.h"
#include "diff/diff_trace.h"

#define DIFF_WHOLE SIZE_MAX /* as context: all calls, without headings */

enum diff_format {
    DIFF_LIKE_APITRACE,
    DIFF_UNIFIED,
    DIFF_SIDE_BY_SIDE,
};

struct diff_style {
    enum diff_format format;
    const struct diff_rules *rules; /* by which the traces were compared */
    bool headings;                  /* lines that say where each group of differences is */
    size_t context;                 /* calls shown around a difference; like apitrace's: none or DIFF_WHOLE */
    unsigned width;                 /* side by side: columns of both sides together */
    bool call_nos;
    bool arg_names;
    bool color;
};

/* Both traces must have been loaded with `named`, unless the format is unified and without colour. */
int diff_print(struct diff_trace *a, struct diff_trace *b, const struct diff_script *script,
               const struct diff_style *style);

#endif
