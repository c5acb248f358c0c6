/* SPDX-License-Identifier: MIT
 * trace-cli pickle: prints a trace for Python programs.
 */
#include "shell/command.h"

#include "base/error.h"
#include "shell/progress.h"
#include "dump/pickle_format.h"
#include "input/input_losses.h"
#include "input/call_input.h"

#include <signal.h>
#include <stdio.h>

#define FLUSH_BYTES ((size_t)1 << 16) /* objects are written in pieces of about this size */

struct pickle_options {
    struct call_selection selection; /* must be first, as its options expect */
    struct pickle_style style;
};

static void flush(struct buf *out)
{
    if (out->len > 0)
        fwrite(out->data, 1, out->len, stdout); /* main() checks for errors */
    buf_clear(out);
}

static int pickle_calls(const struct pickle_options *o, struct call_input *in, struct buf *out)
{
    const struct trace_call *call;
    int rc;
    while ((rc = call_input_next(in, &call)) == 0 && call != NULL) {
        rc = pickle_format_call(out, &o->style, call);
        call_input_release(in, call);
        if (rc != 0)
            break;
        if (out->len >= FLUSH_BYTES)
            flush(out);
    }
    return rc;
}

static int pickle_trace(const struct pickle_options *o, const char *path)
{
    struct call_input in;
    struct buf out = BUF_INIT;
    progress_begin_beside_output("pickle");
    if (call_input_open(&in, path, &o->selection) != 0)
        return cli_print_error();
    int rc = pickle_calls(o, &in, &out);
    flush(&out);
    buf_fini(&out);
    progress_end();
    if (rc == 0)
        call_input_warn_of_none(&in, path);
    call_input_close(&in);
    return rc != 0 ? cli_print_error() : input_losses_status(&in.losses);
}

static int run_pickle(const struct cli_command *self, int argc, char **argv)
{
    struct pickle_options options = {.style = {false}};
    struct cli_operands operands;
    signal(SIGPIPE, SIG_DFL); /* the reader of the objects may close them at any time */
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    int status = result == CLI_PARSE_ERROR;
    if (result == CLI_PARSE_OK && operands.count == 0)
        status = cli_usage_error(self, "pickle needs a trace");
    else if (result == CLI_PARSE_OK && !cli_reads_input_once(self, operands.values, operands.count))
        status = 1;
    else if (result == CLI_PARSE_OK)
        for (int i = 0; i < operands.count; ++i)
            if (pickle_trace(&options, operands.values[i]) != 0)
                status = 1;
    call_selection_fini(&options.selection);
    return status;
}

#define MEMBER(name) offsetof(struct pickle_options, name)

static const struct cli_option pickle_options[] = {
    {CLI_OPTION_FLAG, 's', "symbolic", NULL, NULL, MEMBER(style.symbolic),
     "write names instead of the values of enums and flags", NULL},
    {CLI_OPTION_CALLBACK, 0, "calls", NULL, "SET", 0, "write only these calls; may be repeated",
     call_selection_add_calls},
    {CLI_OPTION_CALLBACK, 0, "frames", NULL, "SET", 0,
     "write only the calls of these frames; may be repeated", call_selection_add_frames},
    {CLI_OPTION_BOOL, 0, "thread-ids", NULL, NULL, MEMBER(style.thread_ids),
     "write the calling thread after the call's number (default: no)", NULL},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_pickle = {
    .name = "pickle",
    .group = CLI_GROUP_LOOK,
    .summary = "Write the calls of a trace as Python objects",
    .operands = "[OPTION...] TRACE...",
    .details = "Writes one object of pickle protocol 3 for each call, for pickle.load() or apitrace's\n"
               "unpickle.py: (number, function, [(argument, value), ...], return value, flags).\n"
               "With both --calls and --frames, the calls that are in both are written.\n"
               "\"trace-cli help dump\" has the grammar of SET. TRACE may be - for the standard input.\n"
               "\n" INPUT_LOSSES_HELP,
    .examples = "trace-cli pickle app.trace | python3 unpickle.py\n",
    .options = pickle_options,
    .run = run_pickle,
};
