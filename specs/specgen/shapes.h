/* SPDX-License-Identifier: MIT
 * ABI shapes. Functions of one shape take and return values of the same ABI types, so that one generated
 * invoker can call them all.
 */
#ifndef SPECGEN_SHAPES_H
#define SPECGEN_SHAPES_H

#include "specgen/specgen_model.h"

/* Numbers the distinct shapes; returns how many there are. */
unsigned shapes_assign(struct specgen *g);
const char *abi_type(enum spec_type type, bool pointer);
void emit_invokers(struct specgen *g, struct buf *out);

#endif
