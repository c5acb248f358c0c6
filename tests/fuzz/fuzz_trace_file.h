/* SPDX-License-Identifier: MIT
 * Puts the fuzzer's bytes into a trace file in memory.
 */
#ifndef TESTS_FUZZ_TRACE_FILE_H
#define TESTS_FUZZ_TRACE_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Returns a file descriptor, whose path in /proc/self/fd can be opened. If FUZZ_STREAM is defined, the bytes
 * are an event stream, which is first packed into a Snappy chunk. */
int fuzz_trace_file(const uint8_t *bytes, size_t count);

/* Does the same for bytes that are always an event stream. */
int fuzz_trace_write(const uint8_t *stream, size_t count);

#endif
