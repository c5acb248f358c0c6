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

struct segment_control;

struct selection {
    const struct selection_options *options;
    _Atomic bool *recording; /* the user's or the program's last word */
    struct record_encoder *encoder;
    struct segment_control *segment; /* where the program is told what it need not record */
    bool has_kinds; /* options->calls names kinds of calls only: what is wanted follows from the function */
    bool records;   /* calls that are read now have been wanted since the last start or stop */
    bool pending;   /* the last start or stop does not hold yet */
    bool told;      /* the last value of *recording that was seen */
    /* It holds when all records with lower numbers have been read, or at `deadline` (milliseconds). */
    uint64_t until;
    int64_t deadline;
    _Atomic int settled;   /* the value of *recording that holds for all calls from now on; -1: pending */
    uint32_t markers_read; /* that started or stopped the recording */
    struct selected_function *functions; /* by function id */
    bool *markers;                       /* by function id */
    bool wants_dump; /* a marker asks for a file of the flight recorder; the owner clears it */
};

/* Makes encoder leave out what is not wanted, and the process with this segment not record most of that.
 * recording, options and segment are lent. A marker of the program's, such as glStringMarkerGREMEDY() or
 * glPushDebugGroup(), that contains "trace-cli:start" or "trace-cli:stop" sets *recording; "trace-cli:dump"
 * sets wants_dump. Errors: TRACE_ERR_MEMORY. */
int selection_init(struct selection *s, const struct selection_options *options, _Atomic bool *recording,
                   struct record_encoder *encoder, struct segment_control *segment);
void selection_fini(struct selection *s);

/* To be called now and then: takes note of *recording. A stop ends with the calls that the program has made
 * before; a start begins with those that it makes afterwards. read: all records with lower order numbers have
 * been read. */
void selection_update(struct selection *s, uint64_t read);

/* Does *recording hold for all calls that the program makes from now on, and is the rest read? Can be called
 * by any thread. */
bool selection_is_settled(const struct selection *s);

#endif
