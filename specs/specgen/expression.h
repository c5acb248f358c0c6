/* SPDX-License-Identifier: MIT
 * Length expressions.
 */
#ifndef SPECGEN_EXPRESSION_H
#define SPECGEN_EXPRESSION_H

#include "specgen/specgen_model.h"

/* Compiles text over the parameters of f. False: *error says why not. */
bool expression_compile(struct specgen *g, const char *text, const struct function *f, struct length *out,
                        const char **error);

#endif
