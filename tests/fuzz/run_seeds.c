/* SPDX-License-Identifier: MIT
 * Runs the target on each given file with other seeds, which are its first four bytes. The environment
 * variable FUZZ_SEEDS says which: "COUNT" or "FIRST-LAST".
 */
#include "fuzz_target.h"
#include "run_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void run_bytes(const uint8_t *bytes, size_t count)
{
    const char *seeds = getenv("FUZZ_SEEDS");
    unsigned first = 1, last = 12;
    uint8_t *copy = malloc(count + 4);
    if (copy == NULL)
        abort();
    if (seeds != NULL && sscanf(seeds, "%u-%u", &first, &last) == 1)
        last = first, first = 1;
    memcpy(copy, bytes, count);
    for (unsigned seed = first; count >= sizeof seed && seed <= last; ++seed) {
        memcpy(copy, &seed, sizeof seed);
        LLVMFuzzerTestOneInput(copy, count);
    }
    free(copy);
}
