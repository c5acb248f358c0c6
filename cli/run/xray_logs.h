/* SPDX-License-Identifier: MIT
 * The logs of traced processes: from a directory, where the processes have left what they recorded, into
 * files that are named like traces.
 */
#ifndef CLI_XRAY_LOGS_H
#define CLI_XRAY_LOGS_H

#include "run/store_log.h"
#include "run/trace_target.h"

#include <limits.h>
#include <signal.h>

struct xray_logs {
    char directory[PATH_MAX];
    const char *output, *stamp; /* of the names; NULL: none */
    struct trace_target *target;
    struct store_clock clock;
    bool is_told;     /* print a line for each log */
    bool output_used; /* the name given by -o, for the first process */
    unsigned written, lost;
};

/* Waits until all processes that record have ended, or *interrupted is set. */
void xray_logs_await(const struct xray_logs *l, const volatile sig_atomic_t *interrupted);

/* Writes a log for each store that has records. Prints what is lost. */
void xray_logs_write_stores(struct xray_logs *l);

/* Copies the logs whose names begin with `base`, which XRay's runtime has written itself. */
void xray_logs_copy(struct xray_logs *l, const char *base);

/* Removes the directory. */
void xray_logs_remove(const struct xray_logs *l);

#endif
