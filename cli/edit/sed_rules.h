/* SPDX-License-Identifier: MIT
 * The replacements of `trace-cli sed`: s/SEARCH/REPLACE/ applied to the marked values of an event.
 */
#ifndef CLI_SED_RULES_H
#define CLI_SED_RULES_H

#include "base/arena.h"
#include "formats/apitrace/copy/raw_event_copier.h"

/* A string, the name of an enum's value or of a flag, or an address. */
struct sed_text {
    char *bytes; /* owned, with a NUL after them */
    size_t count;
    bool is_address; /* 0x… */
    uint64_t address;
};

struct sed_rule {
    const char *text; /* as it was given */
    struct sed_text search;
    struct sed_text replace;
    bool found; /* something was replaced */
};

/* Zero-initialise before use. */
struct sed_rules {
    struct sed_rule *items;
    size_t count;
    struct trace_edit *edits; /* those of the present event */
    size_t edit_cap;
    struct arena arena; /* the bytes of those */
    bool has_arena;
};

void sed_rules_fini(struct sed_rules *r);

/* Adds s/SEARCH/REPLACE/, with any separator; either side may be @file(PATH), the contents of a file. */
int sed_rules_add(struct sed_rules *r, const char *text); /* which is lent */

/* The edits that an event needs, lent until the next call. All rules are applied to each value, one after
 * the other. */
int sed_rules_apply(struct sed_rules *r, const struct trace_raw_event *event, const struct trace_edit **edits,
                    size_t *count);

#endif
