/* SPDX-License-Identifier: MIT
 * The calls that are recorded, but have no effect in a replay, each with the reason. All others are replayed.
 */
#ifndef RETRACE_EXCEPTIONS_H
#define RETRACE_EXCEPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct replay_exception {
    const char *functions; /* names or patterns (fnmatch(3)), separated by blanks */
    const char *reason;    /* a clause, for "NAME is not replayed: …" */
};

extern const struct replay_exception replay_exceptions[];
extern const size_t replay_exception_count;

/* Returns true if name is one of the exception's functions. */
bool replay_exception_has(const struct replay_exception *e, const char *name);

/* Returns the reason why calls of this function are not replayed, or NULL. */
const char *replay_exception_reason(const char *name);

#endif
