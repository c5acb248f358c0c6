/* SPDX-License-Identifier: MIT
 * Stands in for libFuzzer's main(): hands the bytes of each file given to run_bytes(), which the program
 * defines.
 */
#ifndef TESTS_RUN_FILES_H
#define TESTS_RUN_FILES_H

#include <stddef.h>
#include <stdint.h>

/* The memory is of just that size, so that a sanitizer sees each byte behind it. */
void run_bytes(const uint8_t *bytes, size_t count);

#endif
