/* SPDX-License-Identifier: MIT
 * trace-cli trim: copies some of a trace's calls into a new trace.
 */
#include "shell/command.h"
#include "shell/progress.h"

#include "base/error.h"
#include "input/input_losses.h"
#include "input/call_frames.h"
#include "input/call_input.h"
#include "input/map_names.h"
#include "edit/edited_copy.h"
#include "edit/event_copy.h"
#include "formats/apitrace/index/index_reader.h"
#include "input/event_filter.h"
#include "input/selected_calls.h"

#include <stdio.h>
#include <stdlib.h>

struct trim_options {
    struct trace_call_set calls;
    struct trace_call_set frames;
    bool calls_given;
    bool frames_given;
    bool kept_any;        /* a call was kept */
    uint64_t first_frame; /* no call of an earlier frame is kept */
    struct event_filter_options filter_options;
    struct event_filter filter;
    struct field_filter fields; /* --field, of a trace in the apitrace format */
    struct int_map with_fields; /* numbers of calls that it selects */
    struct instr_maps instr_maps;
    struct map_names names; /* of functions of which the trace only has numbers, for the filter */
    bool everything;        /* no option selects any calls */
    const char *output;
    bool exact; /* accepted and ignored: trim is always exact */
};

/* The name of a function may be lost to damage: no name is asked for that it could have. */
static bool passes_filter(struct trim_options *o, const struct trace_raw_event *event)
{
    const struct trace_call call = {.number = event->call, .sig = event->sig, .thread = event->thread};
    const struct trace_event entry = {
        .kind = TRACE_EVENT_ENTER, .number = event->call, .time = event->time, .call = &call};
    if (event->sig == NULL && o->filter.function != NULL)
        return false;
    if (o->fields.count > 0 && !int_map_get(&o->with_fields, event->call, NULL))
        return false;
    return event_filter_wants(&o->filter, &entry);
}

/* Returns true if a call that begins in frame `begun` is kept. The filter sees each call, since it may count
 * time from the first one. */
static bool is_wanted(struct trim_options *o, const struct call_frames *frames,
                      const struct trace_raw_event *event, uint64_t begun)
{
    bool wanted = passes_filter(o, event);
    if (!wanted || event->sig == NULL)
        return wanted;
    return trace_call_set_contains(&o->calls, event->call, event->sig->flags) ||
           (o->frames.count > 0 &&
            trace_call_set_contains(&o->frames, call_frames_find(frames, event->call, begun),
                                    event->sig->flags));
}

static bool is_beyond(const struct trim_options *o, uint64_t call, uint64_t frame)
{
    return (o->calls.count == 0 || call > o->calls.last) && (o->frames.count == 0 || frame > o->frames.last);
}

/* Predicts which of the next calls are kept. Only used if --calls alone selects them. */
struct outlook {
    enum trace_call_set_part part;
    uint64_t until; /* call number up to which the prediction is known */
};

/* Copies or leaves out the next calls that need not be examined one by one. */
static int pass_known(struct trim_options *o, struct edited_copy *c, struct outlook *ahead)
{
    if (o->frames.count > 0 || o->filter.is_given)
        return 0;
    uint64_t number = trace_raw_events_next_number(c->in.events);
    if (number >= ahead->until)
        ahead->part = trace_call_set_part(&o->calls, number, &ahead->until);
    if (ahead->part == TRACE_CALL_SET_SOME)
        return 0;
    bool keep = ahead->part == TRACE_CALL_SET_ALL;
    int rc = trace_copier_pass_known(c->copier, keep, ahead->until);
    o->kept_any |= keep && trace_raw_events_next_number(c->in.events) > number;
    return rc;
}

/* Jumps ahead to what is selected, unless times are counted from the first call. */
static int skip_ahead(struct trim_options *o, struct edited_copy *c, uint64_t *frame)
{
    *frame = 0;
    if (o->filter.has_time && time_range_needs_first(&o->filter.time))
        return 0;
    if (o->frames.count == 0)
        trace_raw_events_want_calls(c->in.events, &o->calls);
    else if (o->calls.count == 0)
        return trace_raw_events_seek_frame(c->in.events, o->first_frame, frame);
    return 0;
}

/* Frames are numbered from 0. The last call of a frame is the one that ends it. */
static int trim_events(struct trim_options *o, const struct call_frames *frames, struct edited_copy *c)
{
    const struct trace_raw_event *event;
    struct outlook ahead = {.until = 0};
    uint64_t frame = 0;
    int rc = trace_copier_header(c->copier);
    if (rc == 0)
        rc = skip_ahead(o, c, &frame);
    while (rc == 0 && (rc = event_input_next(&c->in, &event)) == 0 && event != NULL) {
        bool enters = event->tag == TRACE_RAW_EVENT_ENTER;
        if (enters && is_beyond(o, event->call, frame) && trace_copier_pending(c->copier) == 0)
            break;
        bool keeps = enters && is_wanted(o, frames, event, frame);
        o->kept_any |= keeps;
        rc = trace_copier_event(c->copier, event, keeps, NULL, 0);
        if (!enters && event->sig != NULL && (event->sig->flags & TRACE_CALL_END_FRAME) != 0)
            frame++;
        if (rc == 0)
            rc = pass_known(o, c, &ahead);
        if (rc != 0)
            trace_error_prefix(rc, "%s", c->out_path);
    }
    return rc;
}

/* The new trace has numbers of functions, too. */
static int begin_source_filter(struct trim_options *o, struct trace_source *source, const char *path)
{
    int rc = 0;
    if (o->filter.function != NULL)
        rc = map_names_find_program(&o->names, trace_source_format_name(source), path);
    if (o->names.count > 0) {
        o->filter.name = map_names_of_function;
        o->filter.name_context = &o->names;
    }
    return rc == 0 ? event_filter_begin(&o->filter, source, o->calls_given) : rc;
}

/* Trims a trace in another format than apitrace's. The result has the same format. */
static int trim_source(struct trim_options *o, struct trace_probe *probe, const char *path)
{
    const struct call_selection selection = {.calls_given = o->calls_given,
                                             .frames_given = o->frames_given,
                                             .calls = o->calls,
                                             .frames = o->frames};
    struct trace_source *source;
    char *out_path;
    if (trace_source_open_probed(&source, probe) != 0)
        return cli_print_error();
    if (edited_copy_choose_path(&out_path, path, o->output, "trim") != 0 ||
        begin_source_filter(o, source, path) != 0) {
        trace_source_close(source);
        free(out_path);
        return cli_print_error();
    }
    const struct event_copy copy = {.to = trace_source_copy_format(source),
                                    .out_path = out_path,
                                    .selection = &selection,
                                    .filter = &o->filter};
    int status = event_copy_run(&copy, source, probe->name);
    if (status == 0)
        fprintf(stderr, "Trimmed trace is available as %s\n", out_path);
    free(out_path);
    return status;
}

/* Events are copied without being decoded, so the calls whose arguments are asked for are found before. */
static int find_fields(struct trim_options *o, const struct input_file *file)
{
    static const struct call_selection all = {.calls_given = false};
    const struct trace_call *call;
    struct call_input in;
    int rc = call_input_open_file(&in, file, &all);
    if (rc != 0)
        return rc;
    in.losses.silent = true;
    while (rc == 0 && (rc = call_input_next(&in, &call)) == 0 && call != NULL) {
        const struct trace_event event = {.kind = TRACE_EVENT_CALL, .call = call};
        if (field_filter_matches(&o->fields, &event))
            rc = int_map_set(&o->with_fields, call->number, 0);
        call_input_release(&in, call);
    }
    call_input_close(&in);
    return input_file_mend_message(file, rc);
}

/* The filter that sees the events knows their arguments by number only. */
static void take_fields(struct trim_options *o)
{
    o->fields = o->filter.fields;
    o->filter.fields.count = 0;
}

static int begin_filter(struct trim_options *o, struct edited_copy *c)
{
    bool has_times = false;
    int rc = o->filter.has_time ? trace_raw_events_want_times(c->in.events, &has_times) : 0;
    int64_t wall_offset = trace_index_wall_clock(trace_raw_events_index(c->in.events));
    return rc == 0 ? event_filter_begin_calls(&o->filter, has_times, wall_offset, edited_copy_input_name(c))
                   : rc;
}

static int trim_calls(struct trim_options *o, struct trace_probe *probe, const char *path)
{
    struct edited_copy copy;
    struct call_frames frames = {{NULL, 0, 0, 0}};
    int rc = 0;
    bool by_frame = o->frames.count > 0;
    take_fields(o);
    o->everything = !o->calls_given && !o->frames_given && !o->filter.is_given;
    unsigned needs = o->everything ? 0 : EDITED_COPY_CHANGES;
    if (!o->calls_given && !o->frames_given)
        rc = trace_call_set_add_all(&o->calls);
    if (o->calls.count == 0)
        trace_call_set_next(&o->frames, 0, &o->first_frame);
    if (rc == 0)
        rc = edited_copy_open(&copy, probe, path, o->output, "trim",
                              needs | (by_frame || o->fields.count > 0 ? EDITED_COPY_TWICE : 0));
    if (rc != 0)
        return cli_print_error();
    rc = begin_filter(o, &copy);
    if (rc == 0 && o->fields.count > 0)
        rc = find_fields(o, &copy.in_file);
    if (rc == 0 && by_frame)
        rc = call_frames_read(&frames, &copy.in_file, o->first_frame, o->frames.last);
    if (rc == 0)
        rc = o->everything ? edited_copy_all(&copy) : trim_events(o, &frames, &copy);
    call_frames_fini(&frames);
    rc = edited_copy_finish(&copy, rc);
    if (rc == 0 && !o->everything && !o->kept_any) {
        trace_error_set(TRACE_ERR_USAGE, "%s: no call is selected, so the new trace has none",
                        edited_copy_input_name(&copy));
        cli_print_warning();
    }
    return edited_copy_close(&copy, "Trimmed");
}

static int trim(struct trim_options *o, const char *path)
{
    struct trace_probe probe;
    bool is_calls;
    int status;
    progress_begin("trim");
    if (input_probe(&probe, path, &is_calls) != 0)
        status = cli_print_error();
    else
        status = is_calls ? trim_calls(o, &probe, path) : trim_source(o, &probe, path);
    trace_probe_close(&probe);
    progress_end();
    return status;
}

static int trim_filtered(struct trim_options *o, const char *path)
{
    if (event_filter_init(&o->filter, &o->filter_options) != 0 ||
        map_names_init(&o->names, &o->instr_maps) != 0)
        return cli_print_error();
    int status = trim(o, path);
    map_names_fini(&o->names);
    return status;
}

static int run_trim(const struct cli_command *self, int argc, char **argv)
{
    struct trim_options options = {.output = NULL};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    int status = result == CLI_PARSE_ERROR;
    if (result == CLI_PARSE_OK && operands.count != 1)
        status = cli_usage_error(self, "trim needs one trace, not %d", operands.count);
    else if (result == CLI_PARSE_OK)
        status = trim_filtered(&options, operands.values[0]);
    event_filter_fini(&options.filter);
    int_map_fini(&options.with_fields);
    instr_maps_fini(&options.instr_maps);
    trace_call_set_fini(&options.calls);
    trace_call_set_fini(&options.frames);
    return status;
}

static int set_calls(void *options, const char *value)
{
    struct trim_options *o = options;
    o->calls_given = true;
    return call_set_add_option(&o->calls, value);
}

static int set_frames(void *options, const char *value)
{
    struct trim_options *o = options;
    o->frames_given = true;
    return call_set_add_option(&o->frames, value);
}

static int add_thread(void *options, const char *value)
{
    return filter_numbers_add(&((struct trim_options *)options)->filter_options.threads, value);
}

static int add_instr_map(void *options, const char *value)
{
    return instr_maps_add(&((struct trim_options *)options)->instr_maps, value);
}

static const struct cli_option trim_options[] = {
    {CLI_OPTION_CALLBACK, 0, "calls", NULL, "SET", 0, "keep these calls; may be repeated", set_calls},
    {CLI_OPTION_CALLBACK, 0, "frames", NULL, "SET", 0, "keep the calls of these frames; may be repeated",
     set_frames},
    {CLI_OPTION_CALLBACK, 0, "thread", NULL, "ID,...", 0, "only calls of these threads; may be repeated",
     add_thread},
    EVENT_FILTER_OPTIONS_BUT_THREAD(struct trim_options, filter_options),
    INSTR_MAP_OPTIONS(struct trim_options, instr_maps, add_instr_map),
    {CLI_OPTION_STRING, 'o', "output", NULL, "FILE", offsetof(struct trim_options, output),
     "the new trace (default: NAME-trim.trace for NAME.trace)", NULL},
    {CLI_OPTION_FLAG, 0, "exact", NULL, NULL, offsetof(struct trim_options, exact),
     "keep only what is asked for: always on, accepted for scripts\n"
     "written for older versions of apitrace",
     NULL},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_trim = {
    .name = "trim",
    .group = CLI_GROUP_CHANGE,
    .summary = "Write some of a trace's calls into a new trace",
    .operands = "[OPTION...] TRACE",
    .details =
        "Calls that are in --calls or in --frames are kept; without either option, all calls are. Frames\n"
        "are numbered from 0; a call belongs to the frame in which it returns. Calls are renumbered;\n"
        "everything else about them stays the same, including backtraces, calls that did not return, and\n"
        "the overlap of threads. What a kept call depends on is not kept with it.\n"
        "\n"
        "The other options narrow this down: a call must match all that are given. It belongs to the time\n"
        "and the processor at which it began, and its end is kept with it.\n"
        "\n"
        "A trace of another format than apitrace's has no frames. Its new trace has the same format.\n"
        "\n"
        "XRay's logs only have numbers of functions; with --instr-map, --function knows their "
        "names.\n" INSTR_MAP_HELP "\n"
        "\"trace-cli help dump\" has the grammar of SET. TRACE may be - for the standard input.\n"
        "\n" INPUT_LOSSES_HELP,
    .examples = "trace-cli trim --frames=10-19 -o ten.trace app.trace\n"
                "trace-cli trim --calls=render app.trace\n"
                "trace-cli trim --field=mode=GL_QUADS -o quads.trace app.trace\n"
                "trace-cli trim --time=1.5,3 -o part.xray xray-log.app.Xy12ab\n",
    .options = trim_options,
    .run = run_trim,
};
