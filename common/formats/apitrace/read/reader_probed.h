/* SPDX-License-Identifier: MIT
 * Opens the reader on a file that was probed for its format.
 */
#ifndef TRACE_READER_PROBED_H
#define TRACE_READER_PROBED_H

#include "trace/probe.h"
#include "formats/apitrace/read/reader.h"

/* As trace_reader_open(). The probe's file is taken over; trace_probe_close() follows in any case. */
int trace_reader_open_probed(struct trace_reader **out, struct trace_probe *probe);

#endif
