/* SPDX-License-Identifier: MIT
 * Prints hunks of a unified difference in which the changes inside calls are highlighted.
 */
#ifndef CLI_DIFF_COMPARED_H
#define CLI_DIFF_COMPARED_H

#include "diff/diff_printer.h"

/* Returns true if colours are wanted and the hunk is small enough to compare its calls. */
bool diff_is_compared(const struct diff_printer *p, const struct diff_hunk *h);
int diff_put_highlighted_hunk(struct diff_printer *p, const struct diff_hunk *h);

#endif
