/* SPDX-License-Identifier: MIT
 * Splits an annotation file into rules and declarations.
 */
#ifndef SPECGEN_ANNOTATION_H
#define SPECGEN_ANNOTATION_H

#include "specgen/specgen_model.h"

void annotation_read(struct specgen *g, const char *path);

#endif
