/* SPDX-License-Identifier: MIT
 * What is kept of the calls that create objects: their backtraces, each different one once, and their text.
 */
#ifndef CLI_LEAK_CREATORS_H
#define CLI_LEAK_CREATORS_H

#include "base/hash_map.h"
#include "leaks/leak_objects.h"
#include "trace/text/call_text.h"

struct leak_creators {
    struct string_map index;
    char **backtraces; /* the lines of frames; [0]: of calls without one, NULL */
    uint32_t count;
    uint32_t cap;
    bool wants_text;
    struct trace_call_text formatter;
};

/* wants_text: are the calls wanted, as dump prints them? */
int leak_creators_init(struct leak_creators *c, bool wants_text);
void leak_creators_fini(struct leak_creators *c);

/* *out: the index of the call's backtrace. */
int leak_creators_backtrace(struct leak_creators *c, const struct trace_call *call, uint32_t *out);

/* The call as dump prints it, in a line without its end; NULL after an error. */
struct leak_text *leak_creators_format(struct leak_creators *c, const struct trace_call *call);

/* The reader is about to close. */
void leak_creators_forget_signatures(struct leak_creators *c);

#endif
