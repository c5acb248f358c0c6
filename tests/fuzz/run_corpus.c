/* SPDX-License-Identifier: MIT
 * Runs the target once on each given file.
 */
#include "fuzz_target.h"
#include "run_files.h"

void run_bytes(const uint8_t *bytes, size_t count)
{
    LLVMFuzzerTestOneInput(bytes, count);
}
