/* SPDX-License-Identifier: MIT
 * Prints each call before it is replayed, for --verbose.
 */
#ifndef RETRACE_CALL_PRINTER_H
#define RETRACE_CALL_PRINTER_H

#include <stdio.h>

#include "trace/text/call_text.h"

struct call_printer {
    struct trace_call_text *text; /* NULL: nothing is printed */
    FILE *out;
};

/* Prints calls to out in the format of `trace-cli dump --thread-ids`. */
int call_printer_init(struct call_printer *p, FILE *out);
void call_printer_fini(struct call_printer *p); /* may be called for a zeroed struct */

/* Prints a call, unless dump would leave it out, and flushes it. So if the driver crashes in a call, that
 * call is the last one printed, and messages about a call follow it. */
int call_printer_print(struct call_printer *p, const struct trace_call *call);

#endif
