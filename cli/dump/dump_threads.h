/* SPDX-License-Identifier: MIT
 * Shows all calls of a trace, with several threads that parse and format at the same time.
 */
#ifndef CLI_DUMP_THREADS_H
#define CLI_DUMP_THREADS_H

#include "dump/dump_trace.h"

/* All calls of the reader, which was asked for nothing in particular (reader_parts.h), in d->jobs threads.
 * The output and the errors are what one thread would give. */
int dump_in_threads(struct dump *d, struct trace_reader *reader);

#endif
