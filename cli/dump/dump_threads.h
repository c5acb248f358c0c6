/* SPDX-License-Identifier: MIT
 * Prints all calls of a trace with several threads, which parse and format in parallel.
 */
#ifndef CLI_DUMP_THREADS_H
#define CLI_DUMP_THREADS_H

#include "dump/dump_printer.h"
#include "input/call_input.h"

/* Prints all calls of an input that has no filter (reader_batches.h). Each thread uses a printer with the
 * options of this one. Output, warnings and errors are the same as with one thread. */
int dump_in_threads(struct dump_printer *printer, unsigned threads, struct call_input *in);

#endif
