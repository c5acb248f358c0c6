/* SPDX-License-Identifier: MIT
 * Matches function names with a regular expression. The syntax is POSIX extended, with the most common
 * additions of ECMAScript: \d, \D and (?:…).
 */
#ifndef CLI_NAME_PATTERN_H
#define CLI_NAME_PATTERN_H

#include "base/hash_map.h"
#include "trace/model.h"

#include <regex.h>

struct name_pattern {
    regex_t regex;
    struct int_map known; /* maps the address of a signature to 0 or 1, so that each name is matched once */
};

/* Compiles the pattern. Errors: TRACE_ERR_USAGE if text is not a valid regular expression; there is then
 * nothing to free. */
int name_pattern_init(struct name_pattern *p, const char *text);
void name_pattern_fini(struct name_pattern *p);

/* Returns true if the pattern matches a part of the function's name. */
bool name_pattern_matches(struct name_pattern *p, const struct trace_function_sig *sig);

/* Call this before signatures that it has seen are freed. */
void name_pattern_forget(struct name_pattern *p);

#endif
