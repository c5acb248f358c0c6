/* SPDX-License-Identifier: MIT
 * The command line of the replayer.
 */
#ifndef RETRACE_REPLAY_COMMAND_LINE_H
#define RETRACE_REPLAY_COMMAND_LINE_H

#include "replay_options.h"

enum replay_command_line_result {
    REPLAY_COMMAND_LINE_RUN,
    REPLAY_COMMAND_LINE_DONE,  /* --help or --version was handled */
    REPLAY_COMMAND_LINE_ERROR, /* the error was printed */
};

/* Sets *out to what the arguments say. Its strings, and the names of traces, are those of argv. */
enum replay_command_line_result replay_command_line_parse(struct replay_options *out, int argc, char **argv);

#endif
