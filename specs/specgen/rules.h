/* SPDX-License-Identifier: MIT
 * Applies the rules that are not declarations, in the order of the files.
 */
#ifndef SPECGEN_RULES_H
#define SPECGEN_RULES_H

#include "specgen/specgen_model.h"

void rules_apply(struct specgen *g);

#endif
