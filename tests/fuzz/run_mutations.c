/* SPDX-License-Identifier: MIT
 * Runs the target on each given file with one byte changed, and truncated at each length.
 */
#include "fuzz_target.h"
#include "run_files.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t changes[] = {0x01, 0x80, 0xff};

/* Also uses memory of the exact size. */
static void run_copy(const uint8_t *bytes, size_t count, size_t offset, uint8_t change)
{
    uint8_t *copy = malloc(count + (count == 0));
    if (copy == NULL)
        abort();
    memcpy(copy, bytes, count);
    if (offset < count)
        copy[offset] ^= change;
    LLVMFuzzerTestOneInput(copy, count);
    free(copy);
}

void run_bytes(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        run_copy(bytes, i, i, 0);
        for (size_t c = 0; c < sizeof changes; ++c)
            run_copy(bytes, count, i, changes[c]);
    }
}
