/* SPDX-License-Identifier: MIT
 * Somebody who wants to know how far a file has been read.
 */
#ifndef TRACE_WATCHER_H
#define TRACE_WATCHER_H

#include "base/api.h"

#include <stdint.h>

TRACE_API_BEGIN

/* see() is called at once, and with each chunk (about 1 MiB of the event stream), in the thread that reads.
 * done: bytes of the file before that chunk; total: of the whole file, 0 for a pipe. see may be NULL. */
struct trace_watcher {
    void (*see)(void *context, uint64_t done, uint64_t total);
    void *context;
};

TRACE_API_END

#endif
