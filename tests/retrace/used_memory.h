/* SPDX-License-Identifier: MIT
 * How much memory is allocated, for tests that large blocks are freed. Small ones that are freed may count.
 */
#ifndef TESTS_USED_MEMORY_H
#define TESTS_USED_MEMORY_H

#include <malloc.h>
#include <stddef.h>

/* In bytes. Sanitizers have their own heap, of which this knows nothing; they find leaks themselves. */
static inline size_t used_memory(void)
{
    struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}

#endif
