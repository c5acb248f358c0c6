/* SPDX-License-Identifier: MIT
 * The events of one trace with times, or of several that are merged, for commands that tell where time went.
 */
#ifndef CLI_PROFILE_INPUT_H
#define CLI_PROFILE_INPUT_H

#include "input/event_filter.h"
#include "input/source_input.h"
#include "input/map_names.h"
#include "trace/stacks/thread_stacks.h"

struct profile_input {
    bool takes_sums;
    const char *path; /* of the first trace, for messages */
    struct source_input in;
    struct event_filter filter;
    struct map_names names;
    bool has_ticks;    /* times are ticks of a counter; otherwise nanoseconds */
    uint64_t gaps;     /* where events are missing */
    double per_second; /* of its ticks, or of nanoseconds; 0: unknown */
};

/* What to open, and how. */
struct profile_request {
    char *const *paths;
    int count;
    bool takes_sums;    /* of calls, of which single ones are not known; otherwise they are an error */
    bool wants_ends;    /* ends of calls, if the format has them: they tell which call is within which */
    bool wants_callers; /* what runs when the time that is asked for begins: everything before it is read */
    const struct instr_maps *instr_maps;
    const struct event_filter_options *filter;
};

/* Errors: those of trace_source_open(), and TRACE_ERR_USAGE. After an error there is nothing to close. The
 * structure must not be moved afterwards. */
int profile_input_open(struct profile_input *p, const struct profile_request *request);
void profile_input_close(struct profile_input *p);

/* Passes all events to add(), until it returns an error. What follows the time that is asked for is not read,
 * once the calls have ended that began in it; add() passes events to the stacks. */
int profile_input_read(struct profile_input *p, const struct thread_stacks *stacks,
                       int (*add)(void *context, const struct trace_event *event), void *context);

/* Returns what is to be the listener's `wants`: NULL if all calls are wanted. */
bool (*profile_input_wants(struct profile_input *p))(void *, const struct trace_event *);

/* Call it before names are looked up: if the program that was found lacks a function, its names do not count.
 */
void profile_input_check_names(struct profile_input *p, const struct stack_functions *functions);

/* An entry of option tables, for those who come from llvm-xray. The value is not needed. */
#define PROFILE_KEEP_GOING(type, member)                                                                     \
    {                                                                                                        \
        CLI_OPTION_FLAG, 'k', "keep-going", NULL, NULL, offsetof(type, member),                              \
            "does nothing: what does not fit is always left out, with a\nwarning; llvm-xray would stop "     \
            "there",                                                                                         \
            NULL                                                                                             \
    }

/* Warns of calls that are not in the numbers: those without an end or a beginning, and those that the tracer
 * lost. */
void profile_input_warn(const struct profile_input *p, uint64_t open, uint64_t unmatched);

#endif
