/* SPDX-License-Identifier: MIT
 * A regular expression that function names are matched with.
 * POSIX extended syntax, and of ECMAScript's what is common: \d, \D and (?:…).
 */
#ifndef CLI_NAME_PATTERN_H
#define CLI_NAME_PATTERN_H

#include "base/hash_map.h"
#include "trace/model.h"

#include <regex.h>

struct name_pattern {
    regex_t regex;
    struct int_map known; /* signature's address to 0 or 1: a name is matched once */
};

/* TRACE_ERR_USAGE when text is not a regular expression; then there is nothing to free. */
int name_pattern_init(struct name_pattern *p, const char *text);
void name_pattern_fini(struct name_pattern *p);

/* Does the pattern occur in the function's name? */
bool name_pattern_matches(struct name_pattern *p, const struct trace_function_sig *sig);

/* Signatures seen are about to be freed. */
void name_pattern_forget(struct name_pattern *p);

#endif
