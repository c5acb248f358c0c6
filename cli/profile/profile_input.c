/* SPDX-License-Identifier: MIT */
#include "profile/profile_input.h"

#include "base/error.h"
#include "shell/messages.h"
#include "shell/progress.h"
#include "trace/adaptors/adaptors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- opening --------------------------------------------------------------------------------------- */

static int open_all(struct trace_source **sources, char *const *paths, int count)
{
    int rc = 0, opened = 0;
    while (opened < count && (rc = trace_source_open(&sources[opened], paths[opened])) == 0)
        ++opened;
    for (int i = 0; rc != 0 && i < opened; ++i)
        trace_source_close(sources[i]);
    return rc;
}

/* Opens one trace, or several that are merged. */
static int open_traces(struct trace_source **out, char *const *paths, int count)
{
    if (count == 1)
        return trace_source_open(out, paths[0]);
    struct trace_source **sources = calloc((size_t)count, sizeof *sources);
    int rc = sources == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory")
                             : open_all(sources, paths, count);
    if (rc == 0)
        rc = trace_merge_open(out, sources, (size_t)count);
    free(sources);
    return rc;
}

/* A format that only has whole calls is read as it is. */
static int split_calls(struct trace_source *source)
{
    int rc = trace_source_order(source) == TRACE_ORDER_CALLS ? trace_source_split(source) : 0;
    return rc == TRACE_ERR_UNSUPPORTED ? 0 : rc;
}

static int prepare(struct profile_input *p, struct trace_source *source, const struct profile_request *r)
{
    const struct trace_clock *clock = trace_source_clock(source);
    if (clock == NULL)
        return trace_error_set(TRACE_ERR_USAGE, "%s: the trace has no times", r->paths[0]);
    p->has_ticks = clock->has_ticks;
    p->per_second = clock->has_ticks ? (double)clock->frequency : 1e9;
    int rc = r->wants_ends ? split_calls(source) : 0;
    return rc == 0 ? event_filter_begin(&p->filter, source, r->wants_callers) : rc;
}

static int open_source(struct profile_input *p, const struct profile_request *r)
{
    struct trace_source *source;
    int rc = open_traces(&source, r->paths, r->count);
    if (rc != 0)
        return rc;
    rc = prepare(p, source, r);
    if (rc != 0) {
        trace_source_close(source);
        return rc;
    }
    return source_input_adopt(&p->in, source, r->paths[0], NULL);
}

static int find_program(struct profile_input *p, const struct profile_request *r)
{
    if (r->count != 1)
        return 0;
    return map_names_find_program(&p->names, trace_source_format_name(p->in.source), r->paths[0]);
}

int profile_input_open(struct profile_input *p, const struct profile_request *r)
{
    *p = (struct profile_input){.path = r->paths[0], .takes_sums = r->takes_sums};
    int rc = map_names_init(&p->names, r->instr_maps);
    if (rc != 0)
        return rc;
    rc = event_filter_init(&p->filter, r->filter);
    if (rc == 0)
        rc = open_source(p, r);
    if (rc == 0)
        rc = find_program(p, r);
    if (rc == 0 && p->names.count > 0) {
        p->filter.name = map_names_of_function; /* the names that are shown are known, too */
        p->filter.name_context = &p->names;
    }
    if (rc != 0)
        profile_input_close(p);
    return rc;
}

void profile_input_close(struct profile_input *p)
{
    source_input_close(&p->in);
    event_filter_fini(&p->filter);
    map_names_fini(&p->names);
}

/* --- reading --------------------------------------------------------------------------------------- */

bool (*profile_input_wants(struct profile_input *p))(void *, const struct trace_event *)
{
    return p->filter.is_given ? event_filter_wants : NULL;
}

static bool is_over(const struct profile_input *p, const struct thread_stacks *stacks,
                    const struct trace_event *event)
{
    return stacks->running == 0 && trace_source_order(p->in.source) == TRACE_ORDER_TIME &&
           event_filter_is_over(&p->filter, event);
}

int profile_input_read(struct profile_input *p, const struct thread_stacks *stacks,
                       int (*add)(void *context, const struct trace_event *event), void *context)
{
    struct trace_event event;
    bool over = false;
    int rc = 0;
    while (!over && (rc = source_input_next(&p->in, &event)) == 0 && event.kind != TRACE_EVENT_END) {
        event_filter_note_first(&p->filter, &event);
        p->gaps += event.kind == TRACE_EVENT_LOSS;
        if (event.kind == TRACE_EVENT_SUM && !p->takes_sums)
            rc = trace_error_set(TRACE_ERR_USAGE,
                                 "%s: a profile, which has no single calls: \"trace-cli stack\" shows it",
                                 p->path);
        else
            rc = add(context, &event);
        over = is_over(p, stacks, &event);
        trace_source_release(p->in.source, &event);
        if (rc != 0)
            break;
    }
    progress_end();
    return rc;
}

void profile_input_check_names(struct profile_input *p, const struct stack_functions *functions)
{
    for (size_t i = 0; i < functions->count; ++i)
        map_names_doubt(&p->names, functions->functions[i].sig->number);
}

/* Gaps that damage or truncation has made have been told. */
static bool has_untold_gaps(const struct profile_input *p)
{
    return p->gaps > 0 && !p->in.losses.damaged && !p->in.losses.truncated;
}

void profile_input_warn(const struct profile_input *p, uint64_t open, uint64_t unmatched)
{
    if (p->filter.is_given && !p->filter.has_matched) {
        trace_error_set(TRACE_ERR_USAGE, "%s: no call is selected", p->path);
        cli_print_warning();
    }
    if (has_untold_gaps(p))
        fprintf(stderr,
                "warning: events are missing in %" PRIu64
                " place%s of the trace, so that calls may be missing here\n",
                p->gaps, p->gaps == 1 ? "" : "s");
    if (open > 0)
        fprintf(stderr, "warning: %" PRIu64 " calls are left out, since their ends are not in the trace\n",
                open);
    if (unmatched > 0)
        fprintf(stderr,
                "warning: %" PRIu64
                " ends of calls are left out, since their beginnings are not in the trace\n",
                unmatched);
}
