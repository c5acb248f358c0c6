/* SPDX-License-Identifier: MIT
 * All rules that declare nothing, in the order of the files.
 */
#ifndef SPECGEN_RULES_H
#define SPECGEN_RULES_H

#include "specgen/specgen_model.h"

void rules_apply(struct specgen *g);

#endif
