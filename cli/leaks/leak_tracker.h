/* SPDX-License-Identifier: MIT
 * Follows the objects of GL and of window systems through the calls of a trace: the roles of arguments in the
 * API tables (docs/HOWTO-api-rule.md) say which call creates, deletes, binds and shares what.
 */
#ifndef CLI_LEAK_TRACKER_H
#define CLI_LEAK_TRACKER_H

#include "leaks/leak_contexts.h"
#include "leaks/leak_creators.h"
#include "trace/model.h"

#define LEAK_FUNCTION_CACHE_SIZE 1024

struct leak_function {
    const struct trace_function_sig *sig;
    const struct spec_function *spec; /* NULL: of no interest */
    bool zero_fails;                  /* it returns false if it did nothing */
};

/* What is known of a kind of objects. */
struct leak_kind {
    bool deletable;  /* some function deletes them: only these can leak */
    bool is_address; /* their names are */
};

struct leak_tracker {
    struct leak_contexts contexts;
    struct leak_kind *kinds; /* by enum spec_object */
    struct leak_creators creators;
    uint64_t range_objects; /* that exist and were made by calls that make any number of objects at once */
    uint64_t skipped;       /* of those, how many were too many to follow */
    struct leak_function functions[LEAK_FUNCTION_CACHE_SIZE]; /* by function id, modulo */
};

/* A tracker is large: keep it off the stack. wants_text: keep the calls that create, as dump prints them. */
int leak_tracker_init(struct leak_tracker *t, bool wants_text);
void leak_tracker_fini(struct leak_tracker *t);

/* Calls in the order in which they return. */
int leak_tracker_add_call(struct leak_tracker *t, const struct trace_call *call);

/* After the last call, before the reader closes: contexts.findings is complete then. */
int leak_tracker_end(struct leak_tracker *t);

#endif
