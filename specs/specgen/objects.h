/* SPDX-License-Identifier: MIT
 * Kinds of objects: their declarations, and the table of them.
 */
#ifndef SPECGEN_OBJECTS_H
#define SPECGEN_OBJECTS_H

#include "specgen/specgen_model.h"

/* The kind of that name, blanks as underscores; it is added if it is new. */
int object_intern(struct specgen *g, const char *name);
int find_object(const struct specgen *g, const char *name); /* 0, the kind "none": there is no such kind */

void declare_kind(struct specgen *g, const struct rule *r);
void declare_identifier(struct specgen *g, const struct rule *r);

/* An error for each declared kind that is no parameter's. */
void objects_check(struct specgen *g);
void emit_object_kinds(const struct specgen *g, struct buf *out);

#endif
