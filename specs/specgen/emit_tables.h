/* SPDX-License-Identifier: MIT
 * Writes the tables of runtime/spec.h, the ids of their entries, and lists of names.
 */
#ifndef SPECGEN_EMIT_TABLES_H
#define SPECGEN_EMIT_TABLES_H

#include "specgen/specgen_model.h"

void emit_ids(struct specgen *g, struct buf *out);
void emit_tables(struct specgen *g, struct buf *out);
void emit_names(struct specgen *g, struct buf *out, const char *macro, const struct list *names);

#endif
