/* SPDX-License-Identifier: MIT
 * ABI shapes. Functions with the same shape have parameters and return values of the same ABI types, so that
 * one generated invoker can call all of them.
 */
#ifndef SPECGEN_SHAPES_H
#define SPECGEN_SHAPES_H

#include "specgen/specgen_model.h"

/* Numbers the distinct shapes. Returns how many there are. */
unsigned shapes_assign(struct specgen *g);
const char *abi_type(enum spec_type type, bool pointer);
void emit_invokers(struct specgen *g, struct buf *out);

#endif
