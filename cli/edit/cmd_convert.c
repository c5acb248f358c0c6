/* SPDX-License-Identifier: MIT
 * trace-cli convert: a trace in another format.
 */
#include "shell/command.h"

#include "base/error.h"
#include "edit/event_copy.h"
#include "edit/repack.h"
#include "shell/number_option.h"
#include "shell/progress.h"
#include "shell/replace_file.h"

#include <string.h>

struct convert_options {
    const char *to; /* the format's name */
};

/* From apitrace's format to itself the stream is copied as it is. */
static int convert_probed(const struct event_copy *copy, struct trace_probe *probe, bool is_calls)
{
    static const char apitrace[] = "apitrace";
    if (!is_calls || strcmp(copy->to, apitrace) != 0)
        return event_copy_run(copy, probe);
    const struct repack_options options = {TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, default_jobs(),
                                           false};
    return repack_probed(&options, probe, copy->out_path) == 0 ? 0 : cli_print_error();
}

static int convert(const struct event_copy *copy, const char *in_path)
{
    struct trace_probe probe;
    bool is_calls;
    if (replace_file_is_same(in_path, copy->out_path)) {
        trace_error_set(TRACE_ERR_USAGE, "%s: input and output are the same file", copy->out_path);
        return cli_print_error();
    }
    progress_begin("convert");
    int status = input_probe(&probe, in_path, &is_calls) == 0 ? convert_probed(copy, &probe, is_calls)
                                                              : cli_print_error();
    trace_probe_close(&probe);
    progress_end();
    return status;
}

static int run_convert(const struct cli_command *self, int argc, char **argv)
{
    struct convert_options options = {.to = "apitrace"};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count != 2)
        return cli_usage_error(self, "convert needs an input and an output file, not %d file%s",
                               operands.count, operands.count == 1 ? "" : "s");
    const struct event_copy copy = {.to = options.to, .out_path = operands.values[1]};
    return convert(&copy, operands.values[0]);
}

static const struct cli_option convert_options[] = {
    {CLI_OPTION_STRING, 0, "to", NULL, "FORMAT", offsetof(struct convert_options, to),
     "the format of OUT (default: apitrace); \"trace-cli formats\"\nlists them", NULL},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_convert = {
    .name = "convert",
    .group = CLI_GROUP_CHANGE,
    .summary = "Write a trace in another format",
    .operands = "[OPTION...] IN OUT",
    .details =
        "The format of IN is detected from its contents. IN may be - for the standard input; OUT may be -\n"
        "for the standard output if FORMAT is a text format. OUT appears only once it is complete; an\n"
        "existing file is replaced.\n"
        "\n"
        "What FORMAT cannot express is left out; a warning says how much of what.\n" INPUT_LOSSES_HELP,
    .examples = "trace-cli convert --to=sp-rtrace-text 1234-1.rtrace log.txt\n"
                "trace-cli convert 1234-1.rtrace allocations.trace\n",
    .options = convert_options,
    .run = run_convert,
};
