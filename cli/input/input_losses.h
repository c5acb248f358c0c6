/* SPDX-License-Identifier: MIT
 * Parts of a trace that cannot be read. All commands treat them in the same way: damaged parts are skipped,
 * and a truncated trace is read up to its end, each with a warning. After damage the exit status is 1;
 * truncation does not affect it.
 */
#ifndef CLI_INPUT_LOSSES_H
#define CLI_INPUT_LOSSES_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

/* The paragraph about it in the help of commands. */
#define INPUT_LOSSES_HELP                                                                                    \
    "A truncated trace is read as far as it goes, with a warning. The exit status is 1 after an\n"           \
    "error, and if damaged parts of a trace were skipped, which a warning reports."

/* Zero-initialise it, then set any of the members before `damaged`. */
struct input_losses {
    bool silent; /* no warnings are printed, because the trace is read a second time */
    /* Collects the warnings, one on each line; NULL: they are printed on stderr at once. */
    struct buf *warnings;
    int (*flush)(void *context); /* called before a warning is printed, to write out earlier output; NULL:
                                    there is none */
    void *context;

    bool damaged;   /* a part in the middle is missing */
    bool truncated; /* the end is missing */
    uint64_t found; /* how many that were printed, or would have been */
};

/* Call it with the result of reading if that is not 0. If it is a loss (TRACE_ERR_DAMAGED or
 * TRACE_ERR_TRUNCATED), counts it, prints a warning, if there were not many, and returns 0; reading may
 * continue. Returns any other error unchanged, and the error of flush(). */
int input_losses_add(struct input_losses *l, int rc);

/* Call it when everything has been read: prints how many losses had no warning of their own. Returns the exit
 * status that follows from the losses: 0 or 1. */
int input_losses_status(struct input_losses *l);

#endif
