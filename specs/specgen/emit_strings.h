/* SPDX-License-Identifier: MIT
 * The pool of strings that the generated tables refer to.
 */
#ifndef SPECGEN_EMIT_STRINGS_H
#define SPECGEN_EMIT_STRINGS_H

#include "specgen/specgen_model.h"

void emit_strings(struct specgen *g, const struct list *groups, struct buf *out);

#endif
