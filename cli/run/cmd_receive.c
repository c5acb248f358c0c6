/* SPDX-License-Identifier: MIT
 * trace-cli receive: writes traces that trace-cli trace --tcp sends from another machine.
 */
#include "shell/command.h"
#include "shell/number_option.h"

#include "run/network_address.h"
#include "run/remote_receiver.h"

#include "base/error.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_INCOMPLETE 1
#define MEGABYTE          1000000

struct receive_options {
    const char *listen;
    const char *directory;
    const char *token_file;
    long max_size; /* MB; 0: any */
};

/* *made: nobody but this process knows the token so far. */
static int choose_token(const struct receive_options *o, struct remote_token *token, bool *made)
{
    int rc = remote_token_load(token, o->token_file);
    *made = rc == 0 && token->size == 0;
    return *made ? remote_token_make(token) : rc;
}

static int prepare(const struct receive_options *o, struct remote_token *token, int *listener)
{
    char name[NETWORK_NAME_SIZE];
    bool made;
    int rc = choose_token(o, token, &made);
    if (rc == 0 && o->directory != NULL && chdir(o->directory) != 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s", o->directory);
    if (rc == 0)
        rc = network_listen(listener, o->listen, name);
    if (rc != 0)
        return rc;
    fprintf(stderr, "trace-cli: listening at %s\n", name);
    if (made)
        fprintf(stderr, "trace-cli: token: %s\n", (const char *)token->bytes);
    fflush(stderr);
    return 0;
}

static int receive(const struct receive_options *o)
{
    struct remote_token token;
    struct remote_received received;
    int listener;
    if (prepare(o, &token, &listener) != 0)
        return cli_print_error();
    int connection = remote_receiver_wait(listener, &token);
    close(listener); /* one sender is enough */
    if (connection < 0)
        return cli_print_error();
    int rc = remote_receive(connection, (uint64_t)o->max_size * MEGABYTE, &received);
    close(connection);
    if (rc != 0)
        return cli_print_error();
    if (received.traces == 0)
        fprintf(stderr, "trace-cli: warning: the sender has recorded nothing\n");
    return received.incomplete > 0 ? STATUS_INCOMPLETE : 0;
}

static int set_max_size(void *options, const char *value)
{
    struct receive_options *o = options;
    return parse_number_option(value, "--max-size", 1, LONG_MAX / MEGABYTE, &o->max_size);
}

static int run_receive(const struct cli_command *self, int argc, char **argv)
{
    struct receive_options o = {.listen = NULL};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &o, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count > 0)
        return cli_usage_error(self, "unexpected '%s'", operands.values[0]);
    if (o.listen == NULL)
        return cli_usage_error(self, "--listen=HOST:PORT is needed");
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return receive(&o);
}

static const struct cli_option options[] = {
    {.kind = CLI_OPTION_STRING,
     .letter = 'l',
     .name = "listen",
     .value = "HOST:PORT",
     .member = offsetof(struct receive_options, listen),
     .help = "listen at this address, and at no other: 192.168.1.2:7000,\n"
             "localhost:7000, [::1]:7000; port 0 is any that is free"},
    {.kind = CLI_OPTION_STRING,
     .letter = 'o',
     .name = "output",
     .value = "DIRECTORY",
     .member = offsetof(struct receive_options, directory),
     .help = "write the traces there; default: the working directory"},
    {.kind = CLI_OPTION_STRING,
     .name = "token-file",
     .value = "FILE",
     .member = offsetof(struct receive_options, token_file),
     .help = "the first line of FILE is the token that the sender must know\n"
             "(default: TRACE_CLI_TOKEN in the environment; without it, a new\n"
             "one is made up and printed)"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "max-size",
     .value = "MEGABYTES",
     .set = set_max_size,
     .help = "accept no more than that, all traces together"},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_receive = {
    .name = "receive",
    .group = CLI_GROUP_RECORD,
    .summary = "Write the traces that another machine records",
    .operands = "--listen=HOST:PORT [OPTION...]",
    .details =
        "Waits for one trace-cli trace --tcp that knows the token, writes its traces, and ends with it.\n"
        "The exit status is 1 if a trace is incomplete. The connection is not encrypted.",
    .examples = "trace-cli receive --listen=192.168.1.2:7000\n"
                "trace-cli receive --listen=localhost:7000 --token-file=token.txt -o traces\n",
    .options = options,
    .run = run_receive,
};
