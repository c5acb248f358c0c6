/* SPDX-License-Identifier: MIT
 * ABI shapes: what functions share that can be called in the same way.
 */
#ifndef SPECGEN_SHAPES_H
#define SPECGEN_SHAPES_H

#include "specgen/specgen_model.h"

/* Numbers the distinct shapes; returns how many there are. */
unsigned shapes_assign(struct specgen *g);
const char *abi_type(enum spec_type type, bool pointer);
void emit_invokers(struct specgen *g, struct buf *out);

#endif
