/* SPDX-License-Identifier: MIT
 * The records of a flight data recorder's log as text, in the order of the file, as `llvm-xray fdr-dump`
 * prints them.
 */
#ifndef XRAY_FDR_TEXT_H
#define XRAY_FDR_TEXT_H

#include "base/buf.h"
#include "trace/probe.h"
#include "trace/source.h"

/* Prints the probed log, which is taken over, into out. flush() is called from time to time to empty it.
 * The namer, with its context, says what follows the number of a function; NULL: nothing does. What
 * is not allowed where it stands ends its buffer, and sets *damaged. Errors: TRACE_ERR_FORMAT (not such a
 * log), TRACE_ERR_IO, TRACE_ERR_MEMORY, and those of flush(). */
int xray_fdr_text_print(struct trace_probe *probe, struct buf *out, int (*flush)(struct buf *out),
                        trace_function_namer namer, void *context, bool *damaged);

#endif
