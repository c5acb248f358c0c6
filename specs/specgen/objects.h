/* SPDX-License-Identifier: MIT
 * Kinds of objects: their declarations, and the table of them.
 */
#ifndef SPECGEN_OBJECTS_H
#define SPECGEN_OBJECTS_H

#include "specgen/specgen_model.h"

/* Returns the index of the kind with this name, and adds the kind if it is new. Blanks in the name are
 * replaced by underscores. */
int object_intern(struct specgen *g, const char *name);
int find_object(const struct specgen *g, const char *name); /* 0, the kind "none", if there is no such kind */

void declare_kind(struct specgen *g, const struct rule *r);
void declare_identifier(struct specgen *g, const struct rule *r);
void declare_answer(struct specgen *g, const struct rule *r);

/* Reports an error for each declared kind that no parameter uses. */
void objects_check(struct specgen *g);
void emit_object_kinds(const struct specgen *g, struct buf *out);

#endif
