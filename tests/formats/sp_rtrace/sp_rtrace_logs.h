/* SPDX-License-Identifier: MIT
 * Binary logs and texts in memory, for tests of their sources and sinks.
 */
#ifndef TESTS_SP_RTRACE_LOGS_H
#define TESTS_SP_RTRACE_LOGS_H

#include "base/buf.h"
#include "trace/sink.h"
#include "trace/source.h"
#include "trace_samples.h"

/* Begins a log of version 2.0 for x86-64. It is little-endian, and the lengths of strings include the
 * padding. */
void log_begin(struct buf *log);
void log_put_u32(struct buf *log, uint32_t value);
void log_put_u64(struct buf *log, uint64_t value);
void log_put_string(struct buf *log, const char *text);
size_t log_begin_packet(struct buf *log, const char *type); /* returns its offset */
void log_end_packet(struct buf *log, size_t packet);

/* Adds a call with a backtrace of `frames` addresses 0x1, 0x2, … Allocations have the time 1000. */
void log_put_call(struct buf *log, const char *name, uint32_t type, uint32_t size, uint64_t id,
                  uint32_t frames);
void log_put_mapping(struct buf *log, uint64_t from, const char *path);
void log_put_context(struct buf *log, uint32_t id, const char *name);

/* Opens a log in memory. file_close() removes the file. */
struct trace_source *log_open(struct sample_file *file, const void *bytes, size_t count);

/* Converts a log in memory. Returns a string. Adds the number of things left out to *left_out. */
char *log_convert(const void *bytes, size_t count, const char *to, uint64_t *left_out);

#define LOG_TEXT_HEADER "version=2.0, pid=1, \n"

/* What becomes of a log in another format, which leaves out so much. */
void log_expect_written(const char *to, const char *from, const char *wanted, uint64_t wanted_left_out);

/* Reads one text, writes the other, which then stays as it is. */
void log_expect_text(const char *from, const char *wanted);

#endif
