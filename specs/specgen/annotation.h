/* SPDX-License-Identifier: MIT
 * Reads annotation files.
 */
#ifndef SPECGEN_ANNOTATION_H
#define SPECGEN_ANNOTATION_H

#include "specgen/specgen_model.h"

/* Appends the rules of the file at path to g->rules. Errors are reported and counted in g. */
void annotation_read(struct specgen *g, const char *path);

#endif
