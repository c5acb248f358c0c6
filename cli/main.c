/* SPDX-License-Identifier: MIT
 * trace-cli: finds the subcommand and runs it.
 */
#include "commands.h"
#include "shell/interrupt.h"
#include "shell/progress.h"

#include <stdio.h>
#include <string.h>

/* Output that could not be written must not look like success. */
static int flush_stdout(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror("error: cannot write to the standard output");
    return status != 0 ? status : 1;
}

static const struct cli_command *find_by_option(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return &cli_cmd_help;
    if (strcmp(word, "--version") == 0)
        return &cli_cmd_version;
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: trace-cli COMMAND [ARGUMENT...]\nSee \"trace-cli help\" for the commands.\n", stderr);
        return 1;
    }
    const struct cli_command *command = find_by_option(argv[1]);
    if (command == NULL && argv[1][0] == '-') {
        fprintf(stderr, "error: unknown option %s (see \"trace-cli help\").\n", argv[1]);
        return 1;
    }
    if (command == NULL)
        command = cli_find_command(argv[1]);
    if (command == NULL)
        return cli_unknown_command(argv[1]);
    interrupt_guard_files();
    int status = command->run(command, argc - 1, argv + 1);
    progress_end();
    return flush_stdout(status);
}
