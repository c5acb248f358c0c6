/* SPDX-License-Identifier: MIT
 * The fuzzer's bytes as a trace file in memory.
 */
#ifndef TESTS_FUZZ_TRACE_FILE_H
#define TESTS_FUZZ_TRACE_FILE_H

#include <stddef.h>
#include <stdint.h>

/* A file descriptor; its /proc/self/fd path can be opened. FUZZ_STREAM: the bytes are an event stream, which
 * is packed into a Snappy chunk first. */
int fuzz_trace_file(const uint8_t *bytes, size_t count);

/* The same of bytes that are an event stream in any case. */
int fuzz_trace_write(const uint8_t *stream, size_t count);

#endif
