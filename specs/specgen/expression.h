/* SPDX-License-Identifier: MIT
 * Compiles length expressions.
 */
#ifndef SPECGEN_EXPRESSION_H
#define SPECGEN_EXPRESSION_H

#include "specgen/specgen_model.h"

/* Compiles text, which may name parameters of f. Returns false if it is wrong; *error then says why. */
bool expression_compile(struct specgen *g, const char *text, const struct function *f, struct length *out,
                        const char **error);

#endif
