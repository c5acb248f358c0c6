/* SPDX-License-Identifier: MIT
 * Patterns with `*` and `{a,b}`, as lists of struct glob, one for each way to choose from the braces.
 */
#ifndef SPECGEN_GLOB_H
#define SPECGEN_GLOB_H

#include "specgen/specgen_model.h"

struct glob {
    const char *pattern;
    bool used; /* something was marked that it matches */
};

struct list glob_expand(struct specgen *g, const char *pattern);
bool glob_match(const struct list *globs, const char *text);
bool glob_equal(const struct list *globs, const char *text); /* where `*` stands for itself */
void glob_mark(struct list *globs, const char *text);
const char *glob_unused(const struct list *globs); /* a pattern without a mark, or NULL */

/* The distinct enums that the pattern means; an error, at r, when there are none. */
struct list glob_match_enums(struct specgen *g, const struct rule *r, const char *pattern);

#endif
