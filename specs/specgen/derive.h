/* SPDX-License-Identifier: MIT
 * Types, groups and lengths that follow from the registry alone.
 */
#ifndef SPECGEN_DERIVE_H
#define SPECGEN_DERIVE_H

#include "specgen/specgen_model.h"

void derive_all(struct specgen *g);

#endif
