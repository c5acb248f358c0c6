/* SPDX-License-Identifier: MIT
 * Writes the stubs: the functions that the wrapper libraries export.
 */
#ifndef SPECGEN_EMIT_STUBS_H
#define SPECGEN_EMIT_STUBS_H

#include "specgen/specgen_model.h"

void emit_stubs(struct specgen *g, struct buf *out);

#endif
