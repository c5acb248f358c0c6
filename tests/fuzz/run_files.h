/* SPDX-License-Identifier: MIT
 * Replaces libFuzzer's main(): passes the bytes of each given file to run_bytes(), which the program defines.
 */
#ifndef TESTS_RUN_FILES_H
#define TESTS_RUN_FILES_H

#include <stddef.h>
#include <stdint.h>

/* The memory has exactly this size, so that a sanitizer detects accesses beyond it. */
void run_bytes(const uint8_t *bytes, size_t count);

#endif
