/* SPDX-License-Identifier: MIT
 * Sets of calls, as options like --calls=SET name them (docs/man/trace-cli.1.in has the grammar).
 */
#ifndef TRACE_CALL_SET_H
#define TRACE_CALL_SET_H

#include "base/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

TRACE_API_BEGIN

/* Calls first, first + step, … up to last; with flags, of these only the calls that have one of the flags. */
struct trace_call_range {
    uint64_t first;
    uint64_t last;
    uint64_t step;
    uint32_t flags; /* TRACE_CALL_*; 0: any */
};

/* Zero-initialise before use. An empty set holds no call. */
struct trace_call_set {
    struct trace_call_range *ranges;
    size_t count;
    size_t cap;
    uint64_t last; /* the largest last of all ranges; 0 when empty */
    bool turned;   /* a range was given that ends before it begins: it holds nothing */
};

void trace_call_set_fini(struct trace_call_set *s);

/* Adds all calls. */
int trace_call_set_add_all(struct trace_call_set *s);

/* Adds what text says: a list, separated by commas or blanks, of
 *   @FILE                     a file with such a list, also on several lines
 *   RANGE[/STEP|/KIND]        every STEPth call of the range, or those of a kind
 *   KIND                      the same as * /KIND (without the blank)
 * RANGE is *, N, N- or N-M; KIND is frame, rendertarget or fbo, render or draw.
 * TRACE_ERR_USAGE (or TRACE_ERR_IO for a file) says what was not understood. */
int trace_call_set_parse(struct trace_call_set *s, const char *text);

bool trace_call_set_contains(const struct trace_call_set *s, uint64_t number, uint32_t flags);

/* The least number >= from of a call that may be in the set: whatever the call's flags are, no number between
 * the two is. False: there is none. */
bool trace_call_set_next(const struct trace_call_set *s, uint64_t from, uint64_t *out);

/* How many of the calls numbered *until > i >= from are in the set, whatever their flags are. */
enum trace_call_set_part { TRACE_CALL_SET_NONE, TRACE_CALL_SET_SOME, TRACE_CALL_SET_ALL };
enum trace_call_set_part trace_call_set_part(const struct trace_call_set *s, uint64_t from, uint64_t *until);

TRACE_API_END

#endif
