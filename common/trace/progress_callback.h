/* SPDX-License-Identifier: MIT
 * A callback by which a reader reports how far it has read a file.
 */
#ifndef TRACE_PROGRESS_CALLBACK_H
#define TRACE_PROGRESS_CALLBACK_H

#include "base/api.h"

#include <stdint.h>

TRACE_API_BEGIN

/* report() is called once at the start, and then for each chunk (about 1 MiB of the event stream), in the
 * reading thread. done: bytes of the file before that chunk. total: bytes of the whole file, or 0 for a pipe.
 * report may be NULL. */
struct trace_progress_callback {
    void (*report)(void *context, uint64_t done, uint64_t total);
    void *context;
};

TRACE_API_END

#endif
