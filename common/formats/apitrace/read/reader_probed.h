/* SPDX-License-Identifier: MIT
 * Opens a reader for a file whose format has been probed.
 */
#ifndef TRACE_READER_PROBED_H
#define TRACE_READER_PROBED_H

#include "trace/probe.h"
#include "formats/apitrace/read/reader.h"

/* Does the same as trace_reader_open() for a probed file, which is taken over. Call trace_probe_close() in
 * any case. */
int trace_reader_open_probed(struct trace_reader **out, struct trace_probe *probe);

/* If the probe said that memory is to be saved: decompresses the next chunk ahead, unless an earlier one is
 * still in use by calls. It costs little, so call it now and then. Without it, a chunk is decompressed when
 * the reader has come to it. */
void trace_reader_read_on(struct trace_reader *r);

/* Does the same as trace_reader_next_call(), but returns each call twice: when it is entered (*entered is
 * true) and when it returns. It belongs to the reader after the first time; release it only after the second.
 * Calls that never return are returned only once. Do not mix it with trace_reader_next_call(). */
int trace_reader_next_end(struct trace_reader *r, const struct trace_call **out, bool *entered);

#endif
