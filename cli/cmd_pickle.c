/* SPDX-License-Identifier: MIT
 * trace-cli pickle: a trace for Python programs.
 */
#include "commands.h"

#include "base/error.h"
#include "pickle_format.h"
#include "trace/call_set.h"
#include "trace/reader.h"

#include <signal.h>
#include <stdio.h>

#define FLUSH_BYTES ((size_t)1 << 16) /* objects are written in pieces of about this size */
#define OVERLAP     100 /* calls that may leave after a later one of another thread: --calls looks this far */

struct pickle_options {
    struct pickle_style style;
    bool calls_given;
    struct trace_call_set calls;
};

static void flush(struct buf *out)
{
    fwrite(out->data, 1, out->len, stdout); /* main() looks for errors */
    buf_clear(out);
}

static bool is_beyond(const struct pickle_options *o, const struct trace_call *call)
{
    uint64_t last = o->calls.last;
    return last < UINT64_MAX - OVERLAP && call->number > last + OVERLAP;
}

/* Damaged parts are left out, and a trace that is cut off is taken as far as it goes; *warned tells of both.
 */
static int pickle_calls(const struct pickle_options *o, struct trace_reader *reader, struct buf *out,
                        bool *warned)
{
    for (;;) {
        const struct trace_call *call;
        int rc = trace_reader_next_call(reader, &call);
        if (rc == ERR_TRUNCATED || rc == ERR_DAMAGED) {
            fprintf(stderr, "warning: %s\n", error_message());
            *warned = true;
            continue;
        }
        if (rc != 0)
            return rc;
        if (call == NULL || is_beyond(o, call)) {
            trace_call_release(reader, call);
            return 0;
        }
        if (trace_call_set_contains(&o->calls, call->number, call->flags))
            rc = pickle_format_call(out, &o->style, call);
        trace_call_release(reader, call);
        if (rc != 0)
            return rc;
        if (out->len >= FLUSH_BYTES)
            flush(out);
    }
}

static int pickle_trace(const struct pickle_options *o, const char *path)
{
    struct trace_reader *reader;
    struct buf out = BUF_INIT;
    bool warned = false;
    if (trace_reader_open(&reader, path) != 0)
        return cli_print_error();
    trace_reader_resume_after_damage(reader);
    int rc = pickle_calls(o, reader, &out, &warned);
    flush(&out);
    buf_fini(&out);
    trace_reader_close(reader);
    return rc != 0 ? cli_print_error() : warned;
}

static int run_pickle(const struct cli_command *self, int argc, char **argv)
{
    struct pickle_options options = {.calls_given = false};
    struct cli_operands operands;
    signal(SIGPIPE, SIG_DFL); /* whoever reads the objects may stop at any time */
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    int status = result == CLI_PARSE_ERROR;
    if (result == CLI_PARSE_OK && operands.count == 0)
        status = cli_usage_error(self, "pickle needs a trace");
    else if (result == CLI_PARSE_OK && !options.calls_given && trace_call_set_add_all(&options.calls) != 0)
        status = cli_print_error();
    else if (result == CLI_PARSE_OK)
        for (int i = 0; i < operands.count; ++i)
            status |= pickle_trace(&options, operands.values[i]);
    trace_call_set_fini(&options.calls);
    return status;
}

static int set_calls(void *options, const char *value)
{
    struct pickle_options *o = options;
    o->calls_given = true;
    return trace_call_set_parse(&o->calls, value);
}

#define MEMBER(name) offsetof(struct pickle_options, name)

static const struct cli_option pickle_options[] = {
    {CLI_OPTION_FLAG, 's', "symbolic", NULL, NULL, MEMBER(style.symbolic),
     "names in place of the values of enums and flags", NULL},
    {CLI_OPTION_CALLBACK, 0, "calls", NULL, "SET", 0, "only these calls; may be repeated", set_calls},
    {CLI_OPTION_BOOL, 0, "thread-ids", NULL, NULL, MEMBER(style.thread_ids),
     "the calling thread behind the call's number (default: no)", NULL},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_pickle = {
    .name = "pickle",
    .summary = "Write the calls of a trace as Python objects",
    .operands = "[OPTION...] TRACE...",
    .details =
        "Writes one object of pickle protocol 3 for each call, for pickle.load() or apitrace's unpickle.py:\n"
        "(number, function, [(argument, value), ...], return value, flags).\n"
        "\"trace-cli help dump\" has the grammar of SET. TRACE may be - for the standard input.\n"
        "\n"
        "The exit status is 1 after any error. A trace that is cut off is taken as far as it goes, and\n"
        "damaged parts are left out; a warning and exit status 1 tell of both.",
    .options = pickle_options,
    .run = run_pickle,
};
