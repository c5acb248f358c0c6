/* SPDX-License-Identifier: MIT
 * How the null driver reads and writes memory: a sanitizer, or the kernel, stops what is not there.
 */
#ifndef TESTS_NULL_MEMORY_H
#define TESTS_NULL_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define NULL_MEMORY_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NULL_MEMORY_ASAN 1
#endif
#endif

#ifdef NULL_MEMORY_ASAN
#include <sanitizer/asan_interface.h>
#endif

/* Reads the first byte that may not be accessed, or else the first and the last one. */
static inline void null_memory_read(const void *memory, uint64_t size)
{
    const volatile uint8_t *bytes = memory;
    if (size == 0)
        return;
#ifdef NULL_MEMORY_ASAN
    const volatile uint8_t *bad = __asan_region_is_poisoned((void *)(uintptr_t)memory, size);
    if (bad != NULL)
        (void)*bad;
#endif
    (void)bytes[0];
    (void)bytes[size - 1];
}

static inline void null_memory_write(void *memory, uint64_t size, uint8_t value)
{
    const uint64_t enough = 1 << 16;
    null_memory_read(memory, size);
    if (size > 0)
        memset(memory, value, size < enough ? size : enough);
}

#endif
