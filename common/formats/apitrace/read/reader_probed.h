/* SPDX-License-Identifier: MIT
 * Opens the reader on a file that was probed for its format.
 */
#ifndef TRACE_READER_PROBED_H
#define TRACE_READER_PROBED_H

#include "trace/probe.h"
#include "formats/apitrace/read/reader.h"

/* As trace_reader_open(). The probe's file is taken over; trace_probe_close() follows in any case. */
int trace_reader_open_probed(struct trace_reader **out, struct trace_probe *probe);

/* As trace_reader_next_call(), end by end: *entered tells that *out was entered, and it stays the reader's
 * until it is returned again when it is left; only then it is handed back. Calls that are never left do not
 * come again. Not to be mixed with trace_reader_next_call(). */
int trace_reader_next_end(struct trace_reader *r, const struct trace_call **out, bool *entered);

#endif
