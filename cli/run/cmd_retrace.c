/* SPDX-License-Identifier: MIT
 * trace-cli retrace: checks the options and executes the replayer in its place.
 */
#include "shell/command.h"
#include "shell/install_paths.h"

#include "base/error.h"
#include "replay_option_list.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Only checks the names and forms of options. The replayer checks their values. */
static int accept_value(void *options, const char *value)
{
    (void)options;
    (void)value;
    return 0;
}

#define KIND_FLAG                  CLI_OPTION_ACTION
#define KIND_VALUE                 CLI_OPTION_CALLBACK
#define KIND_OPTIONAL              CLI_OPTION_OPTIONAL
#define KIND_BOOL                  CLI_OPTION_OPTIONAL
#define VALUE_NAME_FLAG(value)     value
#define VALUE_NAME_VALUE(value)    value
#define VALUE_NAME_OPTIONAL(value) value
#define VALUE_NAME_BOOL(value)     "BOOL"

static const struct cli_option options[] = {
#define OPTION(kind, letter, name, alias, value, help)                                                       \
    {KIND_##kind, letter, name, alias, VALUE_NAME_##kind(value), 0, help, accept_value},
    REPLAY_OPTION_LIST(OPTION)
#undef OPTION
        {.kind = CLI_OPTION_END},
};

static int run(const struct cli_command *self, int argc, char **argv)
{
    char program[PATH_MAX];
    struct cli_operands operands; /* whether any is needed depends on the options, which the replayer knows */
    /* Parsing has moved operands to the end. The replayer gets this order, with its own name first. */
    switch (cli_parse_options(self, argc, argv, NULL, &operands)) {
    case CLI_PARSE_HELP:
        return 0;
    case CLI_PARSE_ERROR:
        return 1;
    case CLI_PARSE_OK:
        break;
    }
    if (cli_find_installed("glreplay", program, sizeof program) != 0)
        return cli_print_error();
    execv(program, argv);
    trace_error_set_errno(TRACE_ERR_IO, errno, "%s", program);
    return cli_print_error();
}

const struct cli_command cli_cmd_retrace = {
    .name = "retrace",
    .group = CLI_GROUP_RECORD,
    .alias = "replay",
    .summary = "Replay a trace, in windows or into pictures",
    .operands = "[OPTION...] TRACE...",
    .details =
        "CALLSET is a list of calls and ranges, as for dump: 10,100-200,*/frame,*/draw.\n"
        "A function whose calls cannot be replayed is reported once; such calls are counted at the end.",
    .examples = "trace-cli retrace app.trace\n"
                "trace-cli retrace --headless -s frame- -S '*/frame' app.trace\n"
                "trace-cli retrace --headless -s - --snapshot-format=MD5 app.trace\n",
    .options = options,
    .run = run,
};
