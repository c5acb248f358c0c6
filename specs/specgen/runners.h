/* SPDX-License-Identifier: MIT
 * Runners, which call a function again and again with packed arguments (runtime/packed.h). Functions with the
 * same parameters share one.
 */
#ifndef SPECGEN_RUNNERS_H
#define SPECGEN_RUNNERS_H

#include "specgen/specgen_model.h"

/* Numbers the runners from 1 on, in the order of their first functions. Call it after shapes_assign(). */
void runners_assign(struct specgen *g);
void emit_runners(struct specgen *g, struct buf *out);

#endif
