/* SPDX-License-Identifier: MIT
 * Shows all calls of a trace, with several threads that parse and format at the same time.
 */
#ifndef CLI_DUMP_THREADS_H
#define CLI_DUMP_THREADS_H

#include "dump/dump_printer.h"
#include "input/call_input.h"

/* All calls of an input that was asked for nothing in particular (reader_batches.h), by so many threads, each
 * with a printer like this one. What is written and warned of, and the errors, are as of one thread. */
int dump_in_threads(struct dump_printer *printer, unsigned threads, struct call_input *in);

#endif
