/* SPDX-License-Identifier: MIT
 * Patterns with `*` and `{a,b}`. A pattern is expanded into a list of struct glob, one for each choice that
 * the braces allow.
 */
#ifndef SPECGEN_GLOB_H
#define SPECGEN_GLOB_H

#include "specgen/specgen_model.h"

struct glob {
    const char *pattern;
    bool used; /* it matched a text that glob_mark() was given */
};

struct list glob_expand(struct specgen *g, const char *pattern);
bool glob_match(const struct list *globs, const char *text);
bool glob_equal(const struct list *globs, const char *text); /* `*` only matches itself */
void glob_mark(struct list *globs, const char *text);        /* marks the globs that match as used */
const char *glob_unused(const struct list *globs); /* returns a pattern that was not used, or NULL */

/* Returns the enums that match the pattern, each once. If there are none, reports an error in rule r. */
struct list glob_match_enums(struct specgen *g, const struct rule *r, const char *pattern);

#endif
