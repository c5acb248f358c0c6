/* SPDX-License-Identifier: MIT
 * Pointers that have no rule.
 */
#ifndef SPECGEN_REPORT_H
#define SPECGEN_REPORT_H

#include "specgen/specgen_model.h"

bool report_unresolved(const struct param *p, bool is_return);

/* Prints them; returns how many. */
unsigned report_print(const struct specgen *g);

#endif
