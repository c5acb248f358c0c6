/* SPDX-License-Identifier: MIT
 * Binary logs and texts in memory, for tests of their sources and sinks.
 */
#ifndef TESTS_SP_RTRACE_LOGS_H
#define TESTS_SP_RTRACE_LOGS_H

#include "base/buf.h"
#include "trace/sink.h"
#include "trace/source.h"
#include "trace_samples.h"

/* A log of version 2.0 for x86-64, little endian, whose strings' lengths count the padding. */
void log_begin(struct buf *log);
void log_put_u32(struct buf *log, uint32_t value);
void log_put_u64(struct buf *log, uint64_t value);
void log_put_string(struct buf *log, const char *text);
size_t log_begin_packet(struct buf *log, const char *type); /* returns where it is */
void log_end_packet(struct buf *log, size_t packet);

/* With backtrace 0x1, 0x2, …, of frames addresses; allocations have time 1000. */
void log_put_call(struct buf *log, const char *name, uint32_t type, uint32_t size, uint64_t id,
                  uint32_t frames);
void log_put_mapping(struct buf *log, uint64_t from, const char *path);
void log_put_context(struct buf *log, uint32_t id, const char *name);

/* Opens what is in memory; file_close() removes the file. */
struct trace_source *log_open(struct sample_file *file, const void *bytes, size_t count);

/* Converts what is in memory; the result is a string, and what was left out is added to *left_out. */
char *log_convert(const void *bytes, size_t count, const char *to, uint64_t *left_out);

#endif
