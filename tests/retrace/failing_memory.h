/* SPDX-License-Identifier: MIT
 * Memory that runs out, and is counted. What the C library allocates by itself always succeeds, and
 * does not count.
 */
#ifndef TESTS_FAILING_MEMORY_H
#define TESTS_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* From now on, blocks are counted. The nth allocation fails; 0: none. */
void failing_memory_begin(unsigned nth);

/* Returns how many blocks have been allocated since, and were not freed. Nothing fails or counts any more.
 * has_failed: whether there were as many allocations; may be NULL. */
size_t failing_memory_end(bool *has_failed);

#endif
