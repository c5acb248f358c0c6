/* SPDX-License-Identifier: MIT
 * The entry point of libFuzzer, which run_corpus.c calls as well. Build the fuzzers themselves with clang and
 * -DTRACE_FUZZ=ON.
 */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#endif
