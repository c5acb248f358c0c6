/* SPDX-License-Identifier: MIT
 * The rules of `trace-cli sed`: s/SEARCH/REPLACE/, applied to the values of an event.
 */
#ifndef CLI_SED_RULES_H
#define CLI_SED_RULES_H

#include "base/arena.h"
#include "formats/apitrace/copy/raw_event_copier.h"

/* One side of a rule: a string, the name of an enum value or flag, or an address. */
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
    bool found; /* it has replaced something */
};

/* Zero-initialise it before use. */
struct sed_rules {
    struct sed_rule *items;
    size_t count;
    struct trace_edit *edits; /* edits of the current event */
    size_t edit_cap;
    struct arena arena; /* bytes of these edits */
    bool has_arena;
};

void sed_rules_fini(struct sed_rules *r);

/* Adds a rule. text, which is lent, is s/SEARCH/REPLACE/ with any separator. Either side may be @file(PATH),
 * for the contents of a file. */
int sed_rules_add(struct sed_rules *r, const char *text);

/* Applies all rules, in order, to each value of an event. *edits receives the edits that result, lent until
 * the next call. */
int sed_rules_apply(struct sed_rules *r, const struct trace_raw_event *event, const struct trace_edit **edits,
                    size_t *count);

#endif
