/* SPDX-License-Identifier: MIT
 * Which calls of a process get into its trace: of some frames, some functions, or between a start and a stop.
 */
#ifndef COLLECTOR_SELECTION_H
#define COLLECTOR_SELECTION_H

#include "records/record_encoder.h"
#include "trace/call_set.h"

#include <stdatomic.h>

/* What the user wants; the same for all processes. */
struct selection_options {
    const struct trace_call_set *frames; /* numbers of frames, from 0; NULL: all */
    const struct trace_call_set *calls;  /* NULL: all */
    const char *functions;               /* names, and beginnings of names that end with *; NULL: all */
    bool state;       /* of all other calls, those are recorded that neither draw, nor ask, nor end a frame */
    bool paused;      /* nothing is recorded before a start */
    const char *text; /* the same in words, for the trace; NULL: everything is wanted */
};

struct selection {
    const struct selection_options *options;
    _Atomic bool *recording; /* the user's or the program's last word */
    struct record_encoder *encoder;
    struct selected_function *functions; /* by function id */
    bool *markers;                       /* by function id */
    bool wants_dump; /* a marker asks for a file of the flight recorder; the owner clears it */
};

/* Makes encoder leave out what is not wanted. recording and options are lent. A marker of the program's, such
 * as glStringMarkerGREMEDY() or glPushDebugGroup(), that contains "trace-cli:start" or "trace-cli:stop" sets
 * *recording; "trace-cli:dump" sets wants_dump. Errors: TRACE_ERR_MEMORY. */
int selection_init(struct selection *s, const struct selection_options *options, _Atomic bool *recording,
                   struct record_encoder *encoder);
void selection_fini(struct selection *s);

/* To be called now and then: takes note of *recording. */
void selection_update(struct selection *s);

#endif
