/* SPDX-License-Identifier: MIT
 * Parts of a trace that could not be read. All commands treat them alike: damaged parts are skipped, and a
 * truncated trace is read as far as it goes, with a warning each. Damage makes the exit status 1, truncation
 * does not.
 */
#ifndef CLI_INPUT_LOSSES_H
#define CLI_INPUT_LOSSES_H

#include "base/buf.h"

#include <stdbool.h>

/* What the help of a command says about it. */
#define INPUT_LOSSES_HELP                                                                                    \
    "A truncated trace is read as far as it goes, with a warning. The exit status is 1 after an\n"           \
    "error, and if damaged parts of a trace were skipped, which a warning reports."

/* Zero-initialise, then set any of the members before `damaged`. */
struct input_losses {
    bool silent;          /* print no warnings: the trace is read a second time */
    struct buf *warnings; /* collects them, a line each; NULL: they go to the standard error at once, */
    int (*flush)(
        void *context); /* after what was printed before them is written; NULL: nothing is held back */
    void *context;

    bool damaged;   /* a part in the middle is missing */
    bool truncated; /* the end is missing */
};

/* rc is what reading has returned, not 0. A loss, TRACE_ERR_DAMAGED or TRACE_ERR_TRUNCATED, is counted and
 * warned of: returns 0, and there may be more to read. Returns any other error as it is, and the error of
 * flush(). */
int input_losses_add(struct input_losses *l, int rc);

/* The exit status that follows: 0 or 1. */
int input_losses_status(const struct input_losses *l);

#endif
