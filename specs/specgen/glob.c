/* SPDX-License-Identifier: MIT */
#include "specgen/glob.h"

#include <string.h>

/* Returns the brace that closes the one at open, or NULL if there is none. */
static const char *closing_brace(const char *open)
{
    unsigned depth = 0;
    for (const char *s = open; *s != '\0'; ++s) {
        depth += *s == '{';
        depth -= *s == '}';
        if (depth == 0)
            return s;
    }
    return NULL;
}

static void expand_into(struct specgen *g, struct list *out, const char *pattern)
{
    const char *open = strchr(pattern, '{');
    const char *close = open != NULL ? closing_brace(open) : NULL;
    if (close == NULL) {
        struct glob glob = {pattern, false};
        list_push(g, out, &glob, sizeof glob);
        return;
    }
    unsigned depth = 0;
    const char *start = open + 1;
    for (const char *s = start; s <= close; ++s) {
        if ((*s == ',' && depth == 0) || s == close) {
            expand_into(g, out,
                        specgen_format(g, "%.*s%.*s%s", (int)(open - pattern), pattern, (int)(s - start),
                                       start, close + 1));
            start = s + 1;
        }
        depth += *s == '{' || *s == '('; /* the comma in COMPSIZE(a,b) is not a separator */
        depth -= (*s == '}' && s != close) || *s == ')';
    }
}

struct list glob_expand(struct specgen *g, const char *pattern)
{
    struct list out = {NULL, 0, 0};
    expand_into(g, &out, pattern);
    return out;
}

/* Matches a pattern with `*`. Backtracking to the last star is sufficient. */
static bool match_one(const char *pattern, const char *text)
{
    const char *star = NULL, *mark = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            mark = text;
        } else if (*pattern == *text) {
            ++pattern;
            ++text;
        } else if (star != NULL) {
            pattern = star;
            text = ++mark;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        ++pattern;
    return *pattern == '\0';
}

bool glob_match(const struct list *globs, const char *text)
{
    for (size_t i = 0; i < globs->count; ++i)
        if (match_one(LIST_AT(struct glob, *globs, i).pattern, text))
            return true;
    return false;
}

bool glob_equal(const struct list *globs, const char *text)
{
    for (size_t i = 0; i < globs->count; ++i)
        if (strcmp(LIST_AT(struct glob, *globs, i).pattern, text) == 0)
            return true;
    return false;
}

void glob_mark(struct list *globs, const char *text)
{
    for (size_t i = 0; i < globs->count; ++i) {
        struct glob *glob = &LIST_AT(struct glob, *globs, i);
        glob->used = glob->used || match_one(glob->pattern, text);
    }
}

const char *glob_unused(const struct list *globs)
{
    for (size_t i = 0; i < globs->count; ++i)
        if (!LIST_AT(struct glob, *globs, i).used)
            return LIST_AT(struct glob, *globs, i).pattern;
    return NULL;
}

struct list glob_match_enums(struct specgen *g, const struct rule *r, const char *pattern)
{
    struct list globs = glob_expand(g, pattern), matched = {NULL, 0, 0};
    for (size_t i = 0; i < g->enums.count; ++i) {
        const struct enum_value *e = LIST_AT(const struct enum_value *, g->enums, i);
        glob_mark(&globs, e->name);
        if (glob_match(&globs, e->name))
            list_push(g, &matched, &e, sizeof e);
    }
    if (glob_unused(&globs) != NULL)
        specgen_error(g, r->source, "'%s' matches no enum", glob_unused(&globs));
    return matched;
}
