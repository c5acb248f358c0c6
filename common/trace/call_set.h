/* SPDX-License-Identifier: MIT
 * Sets of calls, as given by options such as --calls=SET. docs/man/trace-cli.1.in describes the grammar.
 */
#ifndef TRACE_CALL_SET_H
#define TRACE_CALL_SET_H

#include "base/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

TRACE_API_BEGIN

/* The calls first, first + step, … up to last. If flags is not 0, only those that have at least one of the
 * flags. */
struct trace_call_range {
    uint64_t first;
    uint64_t last;
    uint64_t step;
    uint32_t flags; /* TRACE_CALL_*; 0: any */
};

/* Zero-initialise it before use. An empty set contains no calls. */
struct trace_call_set {
    struct trace_call_range *ranges;
    size_t count;
    size_t cap;
    uint64_t last; /* the largest last of all ranges; 0 when empty */
    bool turned;   /* a range was given whose end is below its start, so it contains no calls */
};

void trace_call_set_fini(struct trace_call_set *s);

/* Adds all calls. Errors: TRACE_ERR_MEMORY. */
int trace_call_set_add_all(struct trace_call_set *s);

/* Adds the calls that text describes. text is a list of the following, separated by commas or blanks:
 *   @FILE                     a file that contains such a list, on any number of lines
 *   RANGE[/STEP|/KIND]        every STEPth call of the range, or its calls of one kind
 *   KIND                      all calls of one kind, as in "*" followed by /KIND
 * RANGE is *, N, N- or N-M. KIND is frame, rendertarget or fbo, render or draw. Errors: TRACE_ERR_USAGE (the
 * message quotes what was not understood), TRACE_ERR_IO (a file cannot be read), TRACE_ERR_MEMORY. */
int trace_call_set_parse(struct trace_call_set *s, const char *text);

bool trace_call_set_contains(const struct trace_call_set *s, uint64_t number, uint32_t flags);

/* Finds the lowest number, not below from, of a call that may be in the set. Whether it is depends on the
 * call's flags. Returns false if there is no such number. */
bool trace_call_set_next(const struct trace_call_set *s, uint64_t from, uint64_t *out);

/* Says how many of the calls with numbers from `from` to *until - 1 are in the set, whatever their flags are.
 */
enum trace_call_set_part { TRACE_CALL_SET_NONE, TRACE_CALL_SET_SOME, TRACE_CALL_SET_ALL };
enum trace_call_set_part trace_call_set_part(const struct trace_call_set *s, uint64_t from, uint64_t *until);

TRACE_API_END

#endif
