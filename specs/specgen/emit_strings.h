/* SPDX-License-Identifier: MIT
 * Writes the pool of strings, to which the generated tables refer by offset.
 */
#ifndef SPECGEN_EMIT_STRINGS_H
#define SPECGEN_EMIT_STRINGS_H

#include "specgen/specgen_model.h"

void emit_strings(struct specgen *g, const struct list *groups, struct buf *out);

#endif
