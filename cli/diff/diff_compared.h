/* SPDX-License-Identifier: MIT
 * Hunks of a unified difference in which changes inside calls are made out.
 */
#ifndef CLI_DIFF_COMPARED_H
#define CLI_DIFF_COMPARED_H

#include "diff/diff_printer.h"

/* Is the hunk small enough for that, and are colours wanted? */
bool diff_is_compared(const struct diff_printer *p, const struct diff_hunk *h);
int diff_put_compared_hunk(struct diff_printer *p, const struct diff_hunk *h);

#endif
