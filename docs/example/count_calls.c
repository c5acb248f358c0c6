/* SPDX-License-Identifier: MIT
 * Counts the events of a trace of any format by kind, and its calls by function, and writes the trace in
 * another format. usage: count_calls TRACE [FORMAT NEW_TRACE]
 *
 *     cc -o count_calls count_calls.c $(pkg-config --cflags --libs trace-cli)
 */
#include <tracecli/adaptors.h>
#include <tracecli/error.h>
#include <tracecli/sink.h>
#include <tracecli/source.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FUNCTIONS 1000

/* Returns 1 with *event, 0 at the end, or -1 after an error. If parts of the trace are missing or damaged,
 * prints a warning and continues. */
static int next_event(struct trace_source *source, struct trace_event *event)
{
    for (;;) {
        int rc = trace_source_next(source, event);
        if (rc == 0)
            return event->kind != TRACE_EVENT_END;
        if (rc != TRACE_ERR_TRUNCATED && rc != TRACE_ERR_DAMAGED)
            return -1;
        fprintf(stderr, "warning: %s\n", trace_error_message());
    }
}

static int count_events(struct trace_source *source)
{
    uint64_t counts[TRACE_EVENT_KINDS] = {0};
    struct trace_event event;
    int rc;
    while ((rc = next_event(source, &event)) > 0) {
        ++counts[event.kind];
        trace_source_release(source, &event);
    }
    printf("%s:\n", trace_source_format_name(source));
    for (int kind = 0; kind < TRACE_EVENT_KINDS; ++kind)
        if (counts[kind] > 0)
            printf("%8" PRIu64 " %s\n", counts[kind], trace_event_kind_name((enum trace_event_kind)kind));
    return rc;
}

/* Signatures are identified by their addresses. */
static int count_functions(struct trace_source *calls)
{
    static struct {
        const struct trace_function_sig *sig;
        uint64_t count;
    } functions[FUNCTIONS];
    struct trace_event event;
    int rc;
    while ((rc = next_event(calls, &event)) > 0) {
        size_t i = 0;
        while (i < FUNCTIONS - 1 && functions[i].sig != NULL && functions[i].sig != event.call->sig)
            ++i;
        functions[i].sig = event.call->sig;
        ++functions[i].count;
        trace_source_release(calls, &event);
    }
    for (size_t i = 0; i < FUNCTIONS && functions[i].sig != NULL; ++i)
        printf("%8" PRIu64 " %s()\n", functions[i].count, functions[i].sig->name);
    return rc;
}

static int put_events(struct trace_source *source, struct trace_sink *sink)
{
    const struct trace_left_out *left_out;
    struct trace_event event;
    int rc;
    while ((rc = next_event(source, &event)) > 0) {
        rc = trace_sink_put(sink, &event);
        trace_source_release(source, &event);
        if (rc != 0)
            return rc;
    }
    if (rc == 0)
        rc = trace_sink_finish(sink);
    size_t count = trace_sink_left_out(sink, &left_out);
    for (size_t i = 0; i < count; ++i)
        printf("left out: %" PRIu64 " %s\n", left_out[i].count, left_out[i].what);
    return rc;
}

static int write_trace(struct trace_source *source, const char *format, const char *path)
{
    struct trace_sink_options options = {0};
    struct trace_sink *sink;
    options.clock = trace_source_clock(source);
    options.property_count = trace_source_properties(source, &options.properties);
    int rc = trace_sink_create(&sink, format, path, &options);
    if (rc != 0)
        return rc;
    rc = put_events(source, sink);
    if (rc == 0)
        return trace_sink_close(sink);
    trace_sink_abandon(sink);
    return rc;
}

/* Processes a trace from its beginning. how: 0 counts events, 1 counts calls, 2 writes. */
static int read_trace(char **argv, int how)
{
    struct trace_source *source;
    int rc = trace_source_open(&source, argv[1]);
    if (rc == 0 && how == 1)
        rc = trace_calls_open(&source, source);
    if (rc != 0)
        return rc;
    trace_source_resume_after_damage(source);
    rc = how == 0   ? count_events(source)
         : how == 1 ? count_functions(source)
                    : write_trace(source, argv[2], argv[3]);
    trace_source_close(source);
    return rc;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: %s TRACE [FORMAT NEW_TRACE]\n", argv[0]);
        return 2;
    }
    for (int how = 0; how < (argc == 4 ? 3 : 2); ++how)
        if (read_trace(argv, how) != 0) {
            fprintf(stderr, "error: %s\n", trace_error_message());
            return 1;
        }
    return 0;
}
