/* SPDX-License-Identifier: MIT
 * The numbers of backtraces, each of which is described once.
 */
#ifndef PERFETTO_STACKS_H
#define PERFETTO_STACKS_H

#include "formats/perfetto/perfetto_names.h"

/* Returns the number of the call's backtrace. text: memory that is used. Errors: n->fresh.failed. */
uint64_t perfetto_stacks_find(struct perfetto_names *n, const struct trace_call *call, struct buf *text);

#endif
