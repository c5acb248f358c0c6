/* SPDX-License-Identifier: MIT
 * Where `trace-cli trace` writes: to files, to its standard output (-o -), or to another machine (--tcp).
 */
#ifndef CLI_TRACE_TARGET_H
#define CLI_TRACE_TARGET_H

#include "run/remote_sender.h"

#include <stdbool.h>
#include <stddef.h>

struct trace_target {
    const char *output;           /* as the user gave it; NULL: not given */
    const char *address;          /* of the receiver; NULL: this machine */
    struct remote_sender *sender; /* NULL: none */
    int standard_output;          /* a copy; -1: not used */
    bool is_used;                 /* for a trace */
};

/* Checks before the program runs whether its trace can be written, and connects to the receiver. token_file:
 * NULL: the token is in the environment. Errors: TRACE_ERR_USAGE, TRACE_ERR_IO. */
int trace_target_init(struct trace_target *t, const char *output, const char *address,
                      const char *token_file);

/* Is the trace written to the standard output? The program's goes to the standard error then. */
bool trace_target_is_standard_output(const struct trace_target *t);

/* Opens the output of the next trace, and writes what it is called in messages into name. Returns a
 * descriptor, or an error. 0: a file is to be created. For collector_options.open. */
int trace_target_open(void *target, char *name, size_t size, const char *program);

/* Waits until all is where it should be. Returns the number of traces that are not, which has been reported
 * on stderr. */
unsigned trace_target_finish(struct trace_target *t);

#endif
