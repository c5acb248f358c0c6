/* SPDX-License-Identifier: MIT
 * Reports the pointers that no rule describes.
 */
#ifndef SPECGEN_REPORT_H
#define SPECGEN_REPORT_H

#include "specgen/specgen_model.h"

/* Returns true if p is such a pointer. */
bool report_unresolved(const struct param *p, bool is_return);

/* Prints all of them. Returns their number. */
unsigned report_print(const struct specgen *g);

#endif
