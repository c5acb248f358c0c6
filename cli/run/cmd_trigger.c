/* SPDX-License-Identifier: MIT
 * trace-cli trigger: starts and stops the recording of a program that is being traced, and has flight
 * recorders write their files.
 */
#include "shell/command.h"

#include "base/error.h"
#include "process/connection.h"
#include "process/process_mark.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int find_collector(const char *text, char *path, size_t size)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number <= 0 || number != (pid_t)number)
        return trace_error_set(TRACE_ERR_USAGE, "'%s' is no process id", text);
    if (process_mark_of((pid_t)number, path, size))
        return 0;
    if (kill((pid_t)number, 0) != 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "process %ld", number);
    return trace_error_set(TRACE_ERR_IO,
                           "process %ld is neither trace-cli trace nor a program that it traces", number);
}

static int find_command(const char *word, enum connection_command *out)
{
    static const struct {
        const char *word;
        enum connection_command command;
    } commands[] = {{"start", CONNECTION_START}, {"stop", CONNECTION_STOP}, {"dump", CONNECTION_DUMP}};
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        if (strcmp(word, commands[i].word) == 0) {
            *out = commands[i].command;
            return 0;
        }
    }
    return -1;
}

static int run_trigger(const struct cli_command *self, int argc, char **argv)
{
    struct cli_operands operands;
    char path[PROCESS_MARK_SIZE], text[CONNECTION_TEXT_SIZE];
    enum connection_command command;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, NULL, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count != 2)
        return cli_usage_error(self, "a process id and start, stop or dump are needed");
    if (find_command(operands.values[1], &command) != 0)
        return cli_usage_error(self, "unknown command '%s' (start, stop or dump)", operands.values[1]);
    if (find_collector(operands.values[0], path, sizeof path) != 0 ||
        connection_command(path, command, text) != 0)
        return cli_print_error();
    if (text[0] != '\0')
        puts(text);
    return 0;
}

static const struct cli_option options[] = {{.kind = CLI_OPTION_END}};

const struct cli_command cli_cmd_trigger = {
    .name = "trigger",
    .group = CLI_GROUP_RECORD,
    .summary = "Start, stop or dump the recording of a traced program",
    .operands = "PID start|stop|dump",
    .details = "PID is that of trace-cli trace, or of a program that it traces. All processes that this\n"
               "trace-cli traces start or stop together. SIGUSR1 and SIGUSR2 to trace-cli trace do the\n"
               "same. A program starts and stops its own recording with a debug marker that contains\n"
               "trace-cli:start or trace-cli:stop.\n"
               "\n"
               "dump has the flight recorders (trace-cli trace --flight-recorder) of all these processes\n"
               "write what they hold, each into a new file, and prints the names of the files when they are\n"
               "complete. The recording goes on. SIGRTMIN to trace-cli trace, and a debug marker that\n"
               "contains trace-cli:dump, do the same; a marker dumps its own process.",
    .examples = "trace-cli trigger $(pidof glxgears) start\n"
                "trace-cli trigger $(pidof glxgears) dump\n",
    .options = options,
    .run = run_trigger,
};
