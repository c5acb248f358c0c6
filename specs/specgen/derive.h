/* SPDX-License-Identifier: MIT
 * Derives types, groups and lengths of parameters from what the registry says.
 */
#ifndef SPECGEN_DERIVE_H
#define SPECGEN_DERIVE_H

#include "specgen/specgen_model.h"

void derive_all(struct specgen *g);

#endif
