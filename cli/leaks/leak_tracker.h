/* SPDX-License-Identifier: MIT
 * Tracks the objects of GL and of window systems through the calls of a trace. The roles of arguments in the
 * API tables say which calls create, delete, bind and share objects (docs/HOWTO-api-rule.md).
 */
#ifndef CLI_LEAK_TRACKER_H
#define CLI_LEAK_TRACKER_H

#include "leaks/leak_contexts.h"
#include "leaks/leak_creators.h"
#include "trace/model.h"

#define LEAK_FUNCTION_CACHE_SIZE 1024

struct leak_function {
    const struct trace_function_sig *sig;
    const struct spec_function *spec; /* NULL: not relevant */
    bool zero_fails;                  /* it returns a boolean, and false means that it had no effect */
};

/* What is known about a kind of objects. */
struct leak_kind {
    bool deletable;  /* it can be deleted by some function; only such objects can leak */
    bool is_address; /* their names are addresses */
};

struct leak_tracker {
    struct leak_contexts contexts;
    struct leak_kind *kinds; /* indexed by enum spec_object */
    struct leak_creators creators;
    uint64_t range_objects; /* number of existing objects that were created by calls for a range of names */
    uint64_t skipped; /* number of objects of such calls that were not tracked because they were too many */
    struct leak_function functions[LEAK_FUNCTION_CACHE_SIZE]; /* indexed by function id modulo the size */
};

/* A tracker is large, so do not put it on the stack. wants_text: keep the text of calls that create objects,
 * as dump prints them. */
int leak_tracker_init(struct leak_tracker *t, bool wants_text);
void leak_tracker_fini(struct leak_tracker *t);

/* Calls must come in the order in which they return. */
int leak_tracker_add_call(struct leak_tracker *t, const struct trace_call *call);

/* Call this after the last call, before the reader is closed. contexts.findings is then complete. */
int leak_tracker_end(struct leak_tracker *t);

#endif
