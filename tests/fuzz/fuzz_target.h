/* SPDX-License-Identifier: MIT
 * libFuzzer's entry point, which run_corpus.c calls as well.
 * Build with clang and -DTRACE_FUZZ=ON for the fuzzers themselves.
 */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#endif
