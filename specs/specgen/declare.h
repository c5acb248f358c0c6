/* SPDX-License-Identifier: MIT
 * Rules that declare types, names, bits, counts, structs, kinds and prototypes. They are applied before all
 * other rules.
 */
#ifndef SPECGEN_DECLARE_H
#define SPECGEN_DECLARE_H

#include "specgen/specgen_model.h"

/* Returns true if rules of this kind are declarations. */
bool declare_is(const char *kind);
void declare_apply(struct specgen *g, const struct rule *r);

#endif
