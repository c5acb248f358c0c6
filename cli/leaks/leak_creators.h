/* SPDX-License-Identifier: MIT
 * Stores the backtraces and texts of the calls that create objects. Equal backtraces are stored once.
 */
#ifndef CLI_LEAK_CREATORS_H
#define CLI_LEAK_CREATORS_H

#include "base/hash_map.h"
#include "leaks/leak_objects.h"
#include "trace/text/call_text.h"

struct leak_creators {
    struct string_map index;
    char **backtraces; /* frames as lines; [0] is NULL, for calls without a backtrace */
    uint32_t count;
    uint32_t cap;
    bool wants_text;
    struct trace_call_text formatter;
};

/* wants_text: leak_creators_format() will be used. */
int leak_creators_init(struct leak_creators *c, bool wants_text);
void leak_creators_fini(struct leak_creators *c);

/* *out receives the index of the call's backtrace. */
int leak_creators_backtrace(struct leak_creators *c, const struct trace_call *call, uint32_t *out);

/* Returns the call as dump prints it, without line end, or NULL after an error. */
struct leak_text *leak_creators_format(struct leak_creators *c, const struct trace_call *call);

/* Call this before the reader is closed, which frees the signatures of its calls. */
void leak_creators_forget_signatures(struct leak_creators *c);

#endif
