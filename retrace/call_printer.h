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

/* Calls go to out as `trace-cli dump --thread-ids` prints them. */
int call_printer_init(struct call_printer *p, FILE *out);
void call_printer_fini(struct call_printer *p); /* also of a zeroed one */

/* Prints one call, unless dump would leave it out. It is written when this returns: if the driver crashes in
 * a call, that call is the last one printed, and messages about a call follow it. */
int call_printer_print(struct call_printer *p, const struct trace_call *call);

#endif
